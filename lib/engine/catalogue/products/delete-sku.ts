import type { Writing } from '#kernel/http/context.ts';
import { itemOr404, removeItem } from '#kernel/kit/resource/item.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { moveToBin } from './bin.ts';
import { type Force, sku } from './resource.ts';

/** Deletes a SKU into the bin, or permanently with `force`. Answers 404 if the product has no such SKU. */
export async function deleteSku(
  context: Writing,
  productName: string,
  name: string,
  { force = false }: Force,
): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const before = await itemOr404(context, sku, name, productName);
    const effects = force ? removeItem(sku, project.id, before) : moveToBin(context, sku, before);
    return (await commit(table, effects)) || again;
  });
}
