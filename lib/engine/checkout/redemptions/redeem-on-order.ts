import { isReferralCode } from '#engine/vouchers/voucher.ts';
import { type SharedPart, shareDiscounts } from '../discount-shares.ts';
import type { CheckoutItem, ShownOrder } from '../engine/checkout.ts';
import type { OrderLine } from '../orders/line.ts';
import { buildNextOrder } from '../orders/next-order.ts';
import type { OrderBody } from '../orders/order-body.ts';
import { type People, readPeopleIds } from '../orders/people.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { FoundOrder } from '../request/order.ts';
import { buildOrderEntry } from './records.ts';
import type { Use } from './redeemable-use.ts';

/** Returns the order after the redemptions. */

function withoutApplied(line: CheckoutItem): OrderLine {
  const {
    applied_discount_amount: _,
    applied_discount_quantity: __,
    applied_freed_quantity: ___,
    applied_quantity: ____,
    applied_quantity_amount: _____,
    application_details: ______,
    ...kept
  } = line;
  return kept;
}

/** Returns the status. A new order is paid by default, and a paid order stays paid. */
function statusOf(before: OrderItem | undefined, { status }: OrderBody): OrderItem['status'] {
  if (!before) return status ?? 'PAID';
  const isUndone = status === 'CREATED' && (before.status === 'PAID' || before.status === 'FULFILLED');
  return isUndone ? before.status : (status ?? before.status);
}

/** Returns the holder of the referral code that a referee redeems. */
export function findReferrerId(uses: readonly Use[]): string | undefined {
  for (const { one } of uses) {
    const { voucher } = one.target;
    if (voucher?.holder_id && isReferralCode(voucher, one.campaign)) return voucher.holder_id;
  }
  return undefined;
}

/** Returns the use's part in the discounts of the order. */
function partOf({ outcome: { result, effects } }: Use): SharedPart {
  const { order = 0, lines } = effects.applied;
  const isPayment = result.gift !== undefined || result.loyalty_card !== undefined;
  return {
    discount: isPayment ? 0 : order,
    paid: isPayment ? order : 0,
    paidOf: (index) => (isPayment ? (lines.get(index)?.applied_discount_amount ?? 0) : 0),
  };
}

/** Shares the discounts of the uses over the lines of the order after them. */
export function shareUses<O extends OrderItem>({ lines, before }: FoundOrder, after: O, uses: readonly Use[]) {
  const items = after.items.map((line, index) => {
    const { order_discount_share, paid_by_cards } = lines[index] ?? {};
    return { ...line, order_discount_share, paid_by_cards };
  });
  return shareDiscounts({ ...after, items }, before, uses.map(partOf));
}

interface Redeemed {
  readonly uses: readonly Use[];
  readonly parentId: string | undefined;
  /** The id of a new order. */
  readonly id: string | undefined;
  readonly order: ShownOrder;
  readonly people: People;
}

/** Returns the order. 400 `invalid_payload` if it gets too large. */
export function redeemOnOrder(
  found: FoundOrder,
  { uses, parentId, id, order, people }: Redeemed,
  now: Date,
): OrderItem {
  const { before, body, sent: said } = found;
  // Without added units the initial amount equals the amount.
  const isInitial = said.initial_amount !== undefined || order.initial_amount !== order.amount;
  const sent: OrderBody = {
    ...body,
    status: statusOf(before, body),
    amount: said.amount === undefined ? null : (order.amount ?? null),
    initial_amount: isInitial ? (order.initial_amount ?? null) : null,
    discount_amount: (order.discount_amount ?? 0) + (order.excess_discount_amount ?? 0) || null,
  };
  const isNew = (index: number) => index >= found.lines.length;
  const lines = order.items
    .map(withoutApplied)
    .map((line, index) => (isNew(index) ? { ...line, sent_discount_amount: 0 } : line));
  const next = buildNextOrder(
    before,
    {
      body: sent,
      lines,
      people: readPeopleIds(people, before, body),
      id,
      excess_amount: order.excess_amount ?? 0,
    },
    now,
  );
  const { order: shared } = shareUses(found, next, uses);
  return { ...shared, redemptions: { ...next.redemptions, ...buildOrderEntry(now.toISOString(), uses, parentId) } };
}
