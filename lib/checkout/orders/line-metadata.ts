import { checkBySchema, type MetadataCheck } from '../../core/metadata/check.ts';
import type { Reading } from '../../http/context.ts';
import type { OrderLine } from './line.ts';

type Metadata = Readonly<Record<string, unknown>>;

const nothing: Metadata = {};

interface Around {
  /** The place of the lines in the body, such as `order.items`. */
  readonly place: string;
  /** The stored lines of the order. */
  readonly before: readonly OrderLine[] | undefined;
  /** True if the order is stored. Only stored lines must have required keys. */
  readonly isStored: boolean;
}

/** Checks the metadata of sent lines, and of the products and SKUs in them, by their schemas. */
export function checkLineMetadata(
  { project: { schemas } }: Pick<Reading, 'project'>,
  lines: readonly OrderLine[],
  { place, before = [], isStored }: Around,
): void {
  const [ofItem, ofProduct] = [schemas('order_item'), schemas('product')];
  if (!ofItem && !ofProduct) return;
  const byId = new Map(before.flatMap((line) => (line.id === undefined ? [] : [[line.id, line] as const])));
  for (const [index, { id, metadata = nothing, product, sku }] of lines.entries()) {
    const at = `${place}[${index}]`;
    const known = byId.get(id ?? '');
    const was = known ? (known.metadata ?? nothing) : isStored ? undefined : nothing;
    checkBySchema(ofItem, metadata, { place: `${at}.metadata`, before: was });
    const told = (of: string): MetadataCheck => ({ place: `${at}.${of}.metadata`, before: nothing });
    if (product?.metadata) checkBySchema(ofProduct, product.metadata, told('product'));
    if (sku?.metadata) checkBySchema(ofProduct, sku.metadata, told('sku'));
  }
}
