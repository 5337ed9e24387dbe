import type { Reading, Writing } from '#kernel/http/context.ts';
import { deleteWithChildren } from '#kernel/kit/deletion/tombstone.ts';
import type { Cascade } from '#kernel/kit/deletion/work.ts';
import { changeClaims } from '#kernel/kit/resource/claims.ts';
import { itemOr404, removeItem } from '#kernel/kit/resource/item.ts';
import { type Item, resourceKey } from '#kernel/kit/resource/shape.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commit, type Effect } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { readChildren } from '#kernel/table/read.ts';
import { moveToBin } from './bin.ts';
import { type Force, product, sku } from './resource.ts';

/** One transaction deletes a product with this many SKUs, and two claims of each SKU. */
const skusAtOnce = 30;

/**
 * Deletes a product into the bin, or permanently with `force`. The same transaction permanently deletes a few SKUs. A
 * job deletes larger numbers, and they are hidden with the product until then.
 */
export async function deleteProduct(context: Writing, name: string, { force = false }: Force): Promise<void> {
  const { table } = context;
  await retryOptimistically(table, async () => {
    const before = await itemOr404(context, product, name);
    const isSmall = Number(before.children ?? 0) <= skusAtOnce;
    const skus = isSmall
      ? await removeSkus(context, before)
      : removeSkusByJob(context, before, { keepsTombstone: !force });
    const own = force ? removeProduct(context, before, isSmall) : moveToBin(context, product, before);
    return (await commit(table, [...own, ...skus])) || again;
  });
}

async function removeSkus({ table, project }: Writing, { id, children }: Item): Promise<Effect[]> {
  const skus = children ? await readChildren(table, sku.few, project.id, id) : [];
  return skus.flatMap((one) => removeSku(project.id, one));
}

function removeSku(projectId: string, one: Item): Effect[] {
  return removeItem(sku, projectId, one, { withParent: true });
}

function removeProduct({ project }: Writing, before: Item, isSmall: boolean): Effect[] {
  return isSmall ? removeItem(product, project.id, before) : changeClaims(product, project.id, before, undefined);
}

function removeSkusByJob(
  { project, now }: Writing,
  before: Item,
  { keepsTombstone }: { keepsTombstone: boolean },
): Effect[] {
  const { id, revision } = before;
  const key = resourceKey(product, project.id, before);
  const lists = product.listings.map(({ listing }) => listing);
  return [
    check(key, (update) => update.whenStill('revision', revision)),
    ...deleteWithChildren(project.id, { parent: 'product', id, key, lists, keepsTombstone }, now),
  ];
}

/**
 * The source ids of SKUs stay reserved until the SKUs are deleted. SKUs that are in the bin by themselves stay there.
 */
export const productCascade: Cascade = {
  key: product.many,
  children: async function* ({ table, project }: Reading, id) {
    for await (const page of table.pages(sku.few.all(project.id, id))) {
      const there = page.filter(({ deleted_at }) => deleted_at === undefined);
      for await (const some of splitIntoBatches(there, skusAtOnce)) {
        yield some.flatMap((item) => removeSku(project.id, parseStored(sku.stored, item)));
      }
    }
  },
};
