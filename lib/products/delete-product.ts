import type { Reading, Writing } from '../context.ts';
import { deleteWithChildren } from '../deletion/tombstone.ts';
import type { Cascade } from '../deletion/work.ts';
import { claims } from '../resource/claims.ts';
import { found, removing } from '../resource/item.ts';
import { type Item, keyOf } from '../resource/shape.ts';
import { inBatches } from '../table/batches.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { check, commit, type Effect } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import { readChildren } from '../table/read.ts';
import { product, sku } from './resource.ts';

/** With two claims each, and their product, as many as one transaction takes. */
const skusAtOnce = 30;

/** With a few SKUs, in one transaction; those of others go by a job, and are gone with the product until then. */
export async function deleteProduct(context: Writing, name: string): Promise<void> {
  const { table } = context;
  await retryOptimistically(table, async () => {
    const before = await found(context, product, name);
    const isSmall = Number(before.children ?? 0) <= skusAtOnce;
    return (await commit(table, isSmall ? await whole(context, before) : tombstone(context, before))) || undefined;
  });
}

async function whole({ table, project }: Writing, before: Item): Promise<Effect[]> {
  const skus = before.children ? await readChildren(table, sku.few, project.id, before.id) : [];
  return [...removing(product, project.id, before), ...skus.flatMap((one) => removingSku(project.id, one))];
}

function removingSku(projectId: string, one: Item): Effect[] {
  return removing(sku, projectId, one, { withParent: true });
}

function tombstone({ project, now }: Writing, before: Item): Effect[] {
  const { id, revision } = before;
  const key = keyOf(product, project.id, before);
  const lists = product.listings.map(({ listing }) => listing);
  return [
    check(key, (update) => update.whenStill('revision', revision)),
    ...deleteWithChildren(project.id, { parent: 'product', id, key, lists }, now),
    ...claims(product, project.id, before, undefined),
  ];
}

/** The source ids of SKUs are taken until they are gone. */
export const productCascade: Cascade = {
  key: product.many,
  children: async function* ({ table, project }: Reading, id) {
    for await (const page of table.pages(sku.few.all(project.id, id))) {
      for await (const some of inBatches(page, skusAtOnce)) {
        yield some.flatMap((item) => removingSku(project.id, parseStored(sku.stored, item)));
      }
    }
  },
};
