import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import type { KeptOrder } from '../orders/redeemed-order.ts';
import type { OrderItem } from '../orders/resource.ts';
import { type RedemptionItem, redemptions } from './redemption.ts';

/** Redemptions that stay on an order. */
export interface Others {
  readonly isAlone: boolean;
  /** The changes by known redemptions. An order of a project file may name unknown redemptions. */
  readonly earlier: readonly KeptOrder[];
  readonly later: readonly KeptOrder[];
}

type Told = Pick<RedemptionItem, 'id' | 'date' | 'order'>;

/** Returns the sort key of a redemption. Ids of one moment sort by creation. */
const placeOf = ({ id, date }: Told) => `${date} ${id}`;

/** Returns the changes by others before and after a redemption, each in their order. An order may name them in any order. */
export function splitAround(original: Told, others: readonly Told[]): Pick<Others, 'earlier' | 'later'> {
  const sorted = others.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const ordersOf = (all: readonly Told[]) => all.flatMap((one) => one.order ?? []);
  return {
    earlier: ordersOf(sorted.filter((one) => placeOf(one) < placeOf(original))),
    later: ordersOf(sorted.filter((one) => placeOf(one) > placeOf(original))),
  };
}

/**
 * Reads the other redemptions on the order. Each one's status is checked, because the order does not know of rollbacks that left it
 * unchanged.
 */
export async function findOthers(
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
  return { isAlone: staying.length === 0, ...splitAround(original, known) };
}
