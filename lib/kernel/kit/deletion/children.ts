import { type Effect, remove } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, keyText } from '#kernel/table/keys.ts';
import { type ItemKey, partitionRange } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';

/** Yields the other items in an item's partition, page by page. `limit` counts the items that are read. */
export async function* walkChildPages(
  table: Pick<Table, 'pages'>,
  parent: ItemKey,
  { limit }: { limit?: number } = {},
): AsyncGenerator<Attributes[]> {
  for await (const page of table.pages({ ...partitionRange(parent), ...(limit === undefined ? {} : { limit }) })) {
    yield page.filter((item) => keyText(keyOf(item)) !== keyText(parent));
  }
}

/** Removes a child in any state. */
export function removeStoredChild(parent: ItemKey, child: Attributes): Effect {
  return remove({ ...parent, ...keyOf(child) }, (update) => update);
}
