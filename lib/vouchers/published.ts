import * as v from 'valibot';
import { sentMetadata } from '../core/schema.ts';
import { type ItemKey, kind } from '../table/kind.ts';
import type { VoucherItem } from './voucher.ts';

/** What a voucher keeps of the publication by which somebody got it last. */

/** Of a publication it is only asked what its metadata is (`lib/publications` knows vouchers). */
const publications = kind('PUBLICATION', v.object({ metadata: sentMetadata }));

type Metadata = Readonly<Record<string, unknown>>;
type Publish = Readonly<{ publication_ids?: readonly string[] | undefined }>;

/** What formulas may ask of it: cards have none, and are written too often to carry what nobody asks. */
export function askedOfPublication(type: VoucherItem['type'], metadata: Metadata): Record<string, unknown> | undefined {
  return type === 'DISCOUNT_VOUCHER' && Object.keys(metadata).length > 0 ? { ...metadata } : undefined;
}

/** The key of the last one. */
export function lastPublication(projectId: string, publish: Publish | undefined): ItemKey[] {
  return publish?.publication_ids?.slice(-1).map((id) => publications(projectId, id)) ?? [];
}

/** The same as it is stored; what no body may bring is too large to stand on the voucher besides. */
export function askedOfStored(
  type: VoucherItem['type'],
  [stored]: readonly unknown[],
): Record<string, unknown> | undefined {
  const { success, output } = v.safeParse(publications.schema, stored);
  return success ? askedOfPublication(type, output.metadata) : undefined;
}
