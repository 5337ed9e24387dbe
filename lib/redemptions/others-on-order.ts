import type { Reading } from '../context.ts';
import type { KeptOrder } from '../orders/redeemed-order.ts';
import type { OrderItem } from '../orders/resource.ts';
import { read } from '../table/read.ts';
import { type RedemptionItem, redemptions } from './redemption.ts';

/** Redemptions that stay on an order. */
export interface Others {
  readonly isAlone: boolean;
  /** What they did, as far as they are known: an order of a project file names redemptions that stayed behind. */
  readonly earlier: readonly KeptOrder[];
  readonly later: readonly KeptOrder[];
}

/** What else was redeemed on the order. Of those that were rolled back without it the order does not know. */
export async function othersOn(
  context: Reading,
  original: RedemptionItem,
  item: OrderItem | undefined,
): Promise<Others> {
  const { table, project } = context;
  const open = Object.entries(item?.redemptions ?? {}).flatMap(([id, { rollback_id }]) =>
    id === original.id || rollback_id !== undefined ? [] : [id],
  );
  const { found } = await read(table, { found: open.map((id) => redemptions(project.id, id)) });
  const staying = found.filter((one) => one?.status !== 'ROLLED_BACK');
  const known = staying.filter((one) => one !== undefined);
  const ordersOf = (all: readonly RedemptionItem[]) => all.flatMap((one) => one.order ?? []);
  return {
    isAlone: staying.length === 0,
    earlier: ordersOf(known.filter(({ date }) => date <= original.date)),
    later: ordersOf(known.filter(({ date }) => date > original.date)),
  };
}
