import { figuresOf } from './figures.ts';
import type { OrderLine } from './line.ts';
import { given } from './line.ts';
import type { OrderItem } from './resource.ts';

/** As it was before discounts; units that they added are gone, and so is a line that had no others. */
function undiscounted(line: OrderLine): OrderLine[] {
  const { discount_amount: _, discount_quantity: __, ...rest } = line;
  const quantity = line.initial_quantity ?? line.quantity;
  if (quantity === 0) return [];
  const amount = line.initial_amount ?? line.amount;
  return [{ ...rest, quantity, ...given({ amount, subtotal_amount: amount }) }];
}

/** The order after its redemption was rolled back with it: canceled, and without what was taken off or added. */
export function canceledOrder(before: OrderItem, redemptions: OrderItem['redemptions']): OrderItem {
  const { amount, initial_amount, sent, ...order } = before;
  const {
    discount_amount: _,
    items_discount_amount: __,
    total_discount_amount: ___,
    total_amount: ____,
    ...rest
  } = order;
  const items = before.items.flatMap(undiscounted);
  const figures = given({ amount: initial_amount ?? amount, initial_amount });
  return {
    ...rest,
    status: 'CANCELED',
    items,
    ...figuresOf(items, figures),
    sent: given({
      amount: sent?.amount === undefined ? undefined : figures.amount,
      initial_amount: sent?.initial_amount,
    }),
    redemptions,
  };
}
