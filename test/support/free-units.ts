import { checkedOut, coupon, included, orderOf, type TestLine } from './checkout.ts';
import { type Units, units } from './discounts.ts';

/** Returns the order after unit discounts, without its product details. */
export function withFree(items: readonly TestLine[], discounts: readonly Units[], scope = included()) {
  const { order } = checkedOut(
    orderOf(items),
    discounts.map((one) => coupon(units(one), scope)),
  );
  return {
    ...order,
    items: order.items.map(({ object: _, related_object: __, product: ___, sku: ____, ...line }) => line),
  };
}
