import { addUp } from '#kernel/core/sum.ts';
import { readWorths, shareDiscounts } from '../discount-shares.ts';
import { omitEmpty } from '../orders/line.ts';
import type { OrderItem } from '../orders/resource.ts';
import { nothingReturned, type ReturnedSoFar } from '../orders/returned-so-far.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import type { Payment, Sold } from './refund.ts';
import type { SoldLine } from './units.ts';

/** Reads what an order sold, and what returns have taken back. */

/** The id of the amount that no line has. */
export const restId = 'rest';

/** Returns the payment that the redemption made for its order, if any. Points for other rewards take nothing off the order. */
function paymentOf({ gift_credits: credits = 0, points = 0, order }: RedemptionItem) {
  if (credits > 0) return { kind: 'credits', paid: credits } as const;
  const worth = order?.total_applied_discount_amount ?? 0;
  return points > 0 && worth > 0 ? ({ kind: 'points', paid: worth } as const) : undefined;
}

export interface PaidBy extends Payment {
  readonly record: RedemptionItem;
}

function paymentsIn(records: readonly RedemptionItem[], { payments }: ReturnedSoFar): PaidBy[] {
  return records.flatMap((record) => {
    const found = paymentOf(record);
    return found ? [{ id: record.id, ...found, refunded: payments[record.id]?.amount ?? 0, record }] : [];
  });
}

/** Returns the order with the payments of its cards, and all shares. Orders from before have neither. */
function withShares(item: OrderItem, payments: readonly PaidBy[]): OrderItem {
  const orders = payments.flatMap(({ record }) => record.order ?? []);
  const lines = orders.flatMap((one) => one.items);
  const items = item.items.map((line) => ({
    ...line,
    ...omitEmpty({
      paid_by_cards:
        line.paid_by_cards ?? addUp(lines, (one) => (one.id === line.id ? one.applied_discount_amount : 0)),
    }),
  }));
  const paid = item.paid_by_cards ?? addUp(orders, (one) => one.applied_discount_amount);
  return shareDiscounts({ ...item, items }, { ...item, paid_by_cards: paid }).order;
}

export interface SoldOrder extends Sold {
  readonly payments: readonly PaidBy[];
  readonly soFar: ReturnedSoFar;
}

/** Reads the order. `records` are its redemptions that were not rolled back, without parents, in their order. */
export function readSoldOrder(item: OrderItem, records: readonly RedemptionItem[]): SoldOrder {
  const soFar = item.returned ?? nothingReturned;
  const payments = paymentsIn(records, soFar);
  const order = withShares(item, payments);
  const { items } = order;
  const worths = readWorths(order.amount, items);
  const lostOf = (id: string) => soFar.lost.filter(({ line }) => line === id);
  const lines = items.map((line, index): SoldLine => {
    const { id = '', amount = 0, quantity, order_discount_share: share = 0, returned_quantity: returned = 0 } = line;
    const discount = amount - (worths[index] ?? 0);
    return { id, quantity, amount, discount, share, returned, isByValue: false, lost: lostOf(id) };
  });
  const beyond = worths.at(-1) ?? 0;
  const isByValue = items.length === 0;
  const total = (order.discount_amount ?? 0) - (order.paid_by_cards ?? 0);
  const rest: SoldLine = {
    id: restId,
    quantity: 1,
    amount: beyond,
    discount: 0,
    share: isByValue ? Math.min(total, beyond) : (order.rest_discount_share ?? 0),
    returned: soFar.rest,
    isByValue,
    lost: lostOf(restId),
  };
  return {
    lines: beyond > 0 || isByValue ? [...lines, rest] : lines,
    payments,
    refundedMoney: soFar.money,
    isEven: soFar.is_even,
    soFar,
  };
}
