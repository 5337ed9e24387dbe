import { allProducts } from '#engine/catalogue/collections/resource.ts';
import type { CheckoutOrder } from '#engine/checkout/engine/cart.ts';
import type { ShownOrder } from '#engine/checkout/engine/checkout.ts';
import type { Redeemable } from '#engine/checkout/engine/redeemable.ts';
import { cancelOrder } from '#engine/checkout/orders/canceled-order.ts';
import { computeFigures, mergeStatedFigures } from '#engine/checkout/orders/figures.ts';
import { omitEmpty } from '#engine/checkout/orders/line.ts';
import { buildNextOrder } from '#engine/checkout/orders/next-order.ts';
import type { KeptOrder } from '#engine/checkout/orders/redeemed-order.ts';
import type { OrderItem } from '#engine/checkout/orders/resource.ts';
import { keepFullOrder } from '#engine/checkout/redemptions/records.ts';
import { redeemOnOrder } from '#engine/checkout/redemptions/redeem-on-order.ts';
import { catalogue, checkedOut } from './checkout.ts';

/** Orders with several redemptions, one after the other. Each redemption can be rolled back alone. */

export const now = new Date('2026-06-15T10:00:00Z');
const nobody = { customer: undefined, referrer: undefined };

/** Returns the order as stored before any redemption. */
export function storedAs({ items, amount, discount_amount }: CheckoutOrder, isSaid: boolean): OrderItem {
  const lines = items.map(({ collections: _, ...line }) => line);
  const people = { customer_id: undefined, referrer_id: undefined };
  return buildNextOrder(undefined, { body: isSaid ? { amount, discount_amount } : {}, lines, people }, now);
}

export interface Redeemed {
  order: OrderItem;
  kept: KeptOrder;
}

/** Redeems several redeemables in one request. Returns what the redemption keeps. */
export function redeemedBy(before: OrderItem, redeemables: readonly Redeemable[]): Redeemed {
  const items = before.items.map((line) => ({ ...line, collections: [allProducts.id] }));
  const sent = mergeStatedFigures(before, {}, before.items);
  const { discount_amount = 0 } = sent;
  const { order: shown } = checkedOut({ ...computeFigures(items, sent), discount_amount, items }, redeemables);
  const found = {
    ...{ before, body: { id: before.id }, sent, lines: before.items, effects: [], catalogue, metadata: {} },
    checkoutOrder: () => ({ items }),
  };
  const order = redeemOnOrder(
    found,
    { uses: [], parentId: undefined, id: undefined, order: shown, people: nobody },
    now,
  );
  const kept = keepFullOrder(shown, order, [[], []]);
  if (!kept) throw new Error('nothing is kept');
  return { order, kept };
}

/** Rolls back one redemption. `staying` lists the others in the order of their redemption. */
export function without(order: OrderItem, own: KeptOrder, staying: readonly KeptOrder[]): OrderItem {
  const place = staying.indexOf(own);
  const [earlier, later] = [staying.slice(0, place), staying.slice(place + 1)];
  const parts = staying.length > 1 ? { own, earlier, later } : undefined;
  return cancelOrder(order, { redemptions: order.redemptions, parts });
}

/** Returns the order's amounts and lines. */
export function shown(order: OrderItem): ShownOrder {
  const { items, amount, discount_amount, items_discount_amount, total_discount_amount, total_amount } = order;
  const figures = { amount, discount_amount, items_discount_amount, total_discount_amount, total_amount };
  return { items, ...omitEmpty(figures) };
}

/** Returns the amounts that a reader of the order sees, and only its existing lines. */
export function seen({ items, ...order }: OrderItem) {
  const { amount = 0, discount_amount, items_discount_amount, total_discount_amount, total_amount = 0 } = order;
  const lines = items
    .filter(({ quantity }) => quantity > 0)
    .map((line) => [line.id, line.quantity, line.amount, line.discount_quantity ?? 0, line.discount_amount ?? 0]);
  return {
    ...{ amount, total_amount, lines },
    ...{ off: [discount_amount ?? 0, items_discount_amount ?? 0, total_discount_amount ?? 0] },
  };
}

export function redeemAll(first: OrderItem, requests: readonly (readonly Redeemable[])[]) {
  const steps: Redeemed[] = [];
  for (const redeemables of requests) steps.push(redeemedBy(steps.at(-1)?.order ?? first, redeemables));
  return { last: steps.at(-1)?.order ?? first, kept: steps.map(({ kept }) => kept), steps };
}
