import { ignoreBusyTable } from '#kernel/table/conflicts.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { canHaveBlocks, recallBlocks, resolveBlocks } from './blocks/open-blocks.ts';
import { type HoldContext, redemptionRecords } from './items/hold-item.ts';
import { forgetRead } from './recent-reads.ts';
import { resolveLapsed } from './standing/lapsed-holds.ts';

/**
 * Gives back held uses before a request is refused: the uses of dead holders, and those that other containers have
 * counted ahead. Reclaims the latter only from items whose limit refuses the request (`isRefusing`). Returns true if
 * the items must be read and judged again.
 */
export async function freeShared(
  context: HoldContext & { readonly table: Table },
  items: readonly Attributes[],
  isRefusing: (item: Attributes) => boolean,
): Promise<boolean> {
  // A refusal never relies on what the container remembers of a contended item.
  if (items.map((item) => forgetRead(context.table, keyOf(item))).includes(true)) return true;
  const freed = await ignoreBusyTable(
    Promise.all(
      items.map(async (item) => {
        const at = { key: keyOf(item), item };
        const isFreed = (await resolveLapsed(context, redemptionRecords, at)) !== undefined;
        const isGivenBack = (await resolveBlocks(context, at)) || isFreed;
        return isGivenBack || (canHaveBlocks(item) && isRefusing(item) && (await recallBlocks(context, at)));
      }),
    ),
  );
  return freed?.includes(true) ?? false;
}
