import { removeShares } from '../discount-shares.ts';
import { computeFigures } from './figures.ts';
import type { OrderLine } from './line.ts';
import { omitEmpty } from './line.ts';
import { type OrderParts, removePart } from './remove-part.ts';
import type { OrderItem } from './resource.ts';

/** Restores a line before discounts. Added units disappear, and so does a line without other units. */
function undiscounted(line: OrderLine): OrderLine[] {
  const {
    discount_amount: _,
    discount_quantity: __,
    base_quantity: ___,
    freed_quantity: ____,
    order_discount_share: _____,
    paid_by_cards: ______,
    ...rest
  } = line;
  const quantity = line.initial_quantity ?? line.quantity;
  if (quantity === 0) return [];
  const amount = line.initial_amount ?? line.amount;
  return [{ ...rest, quantity, ...omitEmpty({ amount, subtotal_amount: amount }), sent_discount_amount: 0 }];
}

/** Returns lines and figures without discounts and added units. */
function withoutAll({ amount, initial_amount, sent, ...before }: OrderItem) {
  const items = before.items.flatMap(undiscounted);
  const figures = omitEmpty({ amount: initial_amount ?? amount, initial_amount });
  return {
    items,
    figures: computeFigures(items, figures),
    sent: omitEmpty({
      amount: sent?.amount === undefined ? undefined : figures.amount,
      initial_amount: sent?.initial_amount,
    }),
  };
}

interface RolledBack {
  /** The order's redemptions, with the note of the rollback. */
  readonly redemptions: OrderItem['redemptions'];
  /** Other redemptions stay on the order, so only the effects of this redemption are removed. */
  readonly parts: (OrderParts & { readonly isPayment?: boolean }) | undefined;
}

/** Returns the order after the rollback of its redemption: canceled, and without the redemption's effects. */
export function cancelOrder(before: OrderItem, { redemptions, parts }: RolledBack): OrderItem {
  const { items, figures, sent } = parts ? removePart(before, parts) : withoutAll(before);
  const {
    amount: _,
    initial_amount: __,
    discount_amount: ___,
    items_discount_amount: ____,
    total_discount_amount: _____,
    total_amount: ______,
    rest_discount_share: _______,
    paid_by_cards: ________,
    ...rest
  } = before;
  const after = { ...rest, status: 'CANCELED' as const, items, ...figures, sent, redemptions };
  if (!parts) return after;
  const { rest_discount_share, paid_by_cards } = before;
  return removeShares(
    { ...after, ...omitEmpty({ rest_discount_share, paid_by_cards }) },
    parts.own,
    parts.isPayment ?? false,
  );
}
