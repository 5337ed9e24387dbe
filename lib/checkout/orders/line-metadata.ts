import { type CompiledSchema, checkBySchema } from '../../core/metadata/check.ts';
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

/** Makes the text of the place only for faults, because most carts have none. */
function checkAt(
  schema: CompiledSchema | undefined,
  metadata: Metadata,
  before: Metadata | undefined,
  at: () => string,
) {
  if (schema && schema.faultsOf(metadata, { place: '', before }).length > 0) {
    checkBySchema(schema, metadata, { place: at(), before });
  }
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
    const at = (more: string) => `${place}[${index}]${more}.metadata`;
    const known = byId.get(id ?? '');
    const was = known ? (known.metadata ?? nothing) : isStored ? undefined : nothing;
    checkAt(ofItem, metadata, was, () => at(''));
    if (product?.metadata) checkAt(ofProduct, product.metadata, nothing, () => at('.product'));
    if (sku?.metadata) checkAt(ofProduct, sku.metadata, nothing, () => at('.sku'));
  }
}
