import * as v from 'valibot';
import { sentMetadata } from '#kernel/core/schema.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { VoucherItem } from './voucher.ts';

/** Keeps the metadata of a voucher's last publication that formulas need. */

/** Vouchers read only the metadata of a publication, because `lib/engine/publishing` imports vouchers. */
const publications = kind(kinds.publication, v.object({ metadata: sentMetadata }));

type Metadata = Readonly<Record<string, unknown>>;
type Publish = Readonly<{ publication_ids?: readonly string[] | undefined }>;

/**
 * Returns the metadata that formulas may use. Cards store no metadata, because they have no formulas and are written
 * often.
 */
export function keepMetadata(type: VoucherItem['type'], metadata: Metadata): Record<string, unknown> | undefined {
  return type === 'DISCOUNT_VOUCHER' && Object.keys(metadata).length > 0 ? { ...metadata } : undefined;
}

/** Returns the key of the last publication. */
export function keyLastPublication(projectId: string, publish: Publish | undefined): ItemKey[] {
  return publish?.publication_ids?.slice(-1).map((id) => publications(projectId, id)) ?? [];
}

/** Returns the metadata of a stored publication. Leaves out metadata that is larger than a body may be. */
export function keepStoredMetadata(
  type: VoucherItem['type'],
  [stored]: readonly unknown[],
): Record<string, unknown> | undefined {
  const { success, output } = v.safeParse(publications.schema, stored);
  return success ? keepMetadata(type, output.metadata) : undefined;
}
