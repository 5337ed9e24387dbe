import type { CustomerItem } from '#engine/customers/customer.ts';
import { scaleAmount, share } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { Writing } from '#kernel/http/context.ts';
import { readWorths, settleShares } from '../discount-shares.ts';
import { type CheckoutItem, checkout, type ShownOrder } from '../engine/checkout.ts';
import type { OrderLine } from '../orders/line.ts';
import type { OrderBody } from '../orders/order-body.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { type Gathered, gather } from '../request/gather.ts';
import type { Units } from './refund.ts';
import type { SoldOrder } from './sold-order.ts';
import { figuresOf, type SoldLine, wholeOf } from './units.ts';

/** Judges the kept lines of an order without the returned units, by the redeemables of its redemptions. */

/** A kept line. */
interface Kept {
  readonly line: SoldLine;
  readonly item: OrderLine | undefined;
  readonly units: number;
  /** The units that were sold, besides those that a discount added. */
  readonly own: number;
  /** The amount and the net value as sold. */
  readonly amount: number;
  readonly net: number;
}

function keptOf({ lines }: SoldOrder, units: Units, item: OrderItem): Kept[] {
  return lines.map((line, index) => {
    const returned = line.returned + (units.get(index) ?? 0);
    const [whole, gone] = [figuresOf(line, wholeOf(line)), figuresOf(line, returned)];
    const sold = item.items[index];
    const left = line.isByValue ? 1 : Math.max(0, line.quantity - returned);
    const own = Math.min(left, sold?.initial_quantity ?? line.quantity);
    return { line, item: sold, units: left, own, amount: whole.amount - gone.amount, net: whole.net - gone.net };
  });
}

/** Returns the price of some kept units. */
function priceOf({ amount, units }: Kept, some: number): number {
  return units === 0 ? 0 : scaleAmount(amount, some, units);
}

function sentLine(kept: Kept) {
  const { item, own, line } = kept;
  const {
    source_id,
    related_object,
    product_id,
    sku_id,
    product,
    sku,
    metadata,
    sent_discount_amount = 0,
  } = item ?? {};
  const discount = line.quantity === 0 ? 0 : scaleAmount(Math.max(0, sent_discount_amount), own, line.quantity);
  const amount = priceOf(kept, own);
  return {
    ...{ source_id, related_object, product_id, sku_id, product, sku, metadata },
    ...{ quantity: own, amount, discount_amount: Math.min(discount, amount) },
  };
}

/** Returns the discount on the whole order that no redemption gave, for the kept part of the order. */
function sentDiscount(
  item: OrderItem,
  leaves: readonly RedemptionItem[],
  kept: readonly Kept[],
  whole: number,
): number {
  const given = addUp(leaves, ({ order }) => order?.applied_discount_amount);
  const own = Math.max(0, (item.discount_amount ?? 0) - given);
  return own === 0 || whole === 0
    ? 0
    : scaleAmount(
        own,
        addUp(kept, ({ amount }) => amount),
        whole,
      );
}

/** Returns the order of the kept units before any redemption. */
function bodyOf(item: OrderItem, sold: SoldOrder, leaves: readonly RedemptionItem[], kept: readonly Kept[]): OrderBody {
  const lines = kept.filter(({ item: line, own }) => line !== undefined && own > 0);
  const whole = addUp(sold.lines, ({ amount }) => amount);
  const rest = addUp(kept, ({ item: line, amount }) => (line === undefined ? amount : 0));
  const amount = addUp(lines, (one) => priceOf(one, one.own)) + rest;
  const discount_amount = Math.min(amount, sentDiscount(item, leaves, kept, whole));
  return { items: lines.map(sentLine), amount, discount_amount, metadata: item.metadata };
}

function nameOf({ related_object_type, related_object_id = '', voucher_code }: RedemptionItem) {
  return related_object_type === 'promotion_tier'
    ? ({ object: 'promotion_tier', id: related_object_id } as const)
    : ({ object: 'voucher', id: voucher_code ?? '' } as const);
}

/** Applies the redeemables, whatever their state and limits are today. Uses of this order do not count against it. */
function apply({ checkoutOrder, judgedBy, stackingRules, catalogue }: Gathered): ShownOrder {
  const redeemables = judgedBy([]).map((one) => Object.assign(one, { check: () => undefined }));
  const rules = {
    ...stackingRules,
    redeemables_application_mode: 'PARTIAL' as const,
    applicable_redeemables_limit: redeemables.length,
    applicable_redeemables_per_category_limit: null,
    applicable_redeemables_category_limits: {},
    applicable_exclusive_redeemables_limit: redeemables.length,
    applicable_exclusive_redeemables_per_category_limit: null,
  };
  return checkout(checkoutOrder, redeemables, { rules, catalogue }).order;
}

const isAlike = (one: OrderLine | undefined, other: CheckoutItem) =>
  one?.sku_id === other.sku_id && one?.product_id === other.product_id && one?.product_id !== undefined;

/** Returns what each kept line costs after the discounts of the order, and last the amount that no line has. */
function costsOf(order: ShownOrder, kept: readonly Kept[]): number[] {
  const worths = readWorths(order.amount, order.items);
  const shares = settleShares([], worths, order.discount_amount ?? 0);
  const nets = worths.map((worth, index) => worth - (shares[index] ?? 0));
  let place = 0;
  const sent = kept.map(({ item, own }) => (item !== undefined && own > 0 ? place++ : undefined));
  const added = order.items.slice(place);
  return kept.map((one, index) => {
    if (one.item === undefined) return nets.at(-1) ?? 0;
    const at = sent[index];
    const found = at === undefined ? undefined : order.items[at];
    const ofOthers = addUp(added, (line) => (one.own === 0 && isAlike(one.item, line) ? line.quantity : 0));
    // Free units that are no longer earned cost their price.
    const unearned = Math.max(0, one.units - (found?.quantity ?? 0) - ofOthers);
    return (at === undefined ? 0 : (nets[at] ?? 0)) + priceOf(one, unearned);
  });
}

export interface Repriced {
  /** The discount that the kept lines lose. */
  readonly loss: number;
  /** Shares a part of the loss over the lines. */
  readonly shareLoss: (part: number) => readonly number[];
  readonly notes: readonly string[];
}

const nothingLost: Repriced = { loss: 0, shareLoss: () => [], notes: [] };

function notesOf({ redeemables }: Gathered, at: string): string[] {
  return redeemables.flatMap(({ target, judged }) => {
    const { voucher, tier, asked } = target;
    const isChanged = [voucher, tier, ...judged.rules.map(({ document }) => document)].some(
      (one) => one !== undefined && 'updated_at' in one && typeof one.updated_at === 'string' && one.updated_at > at,
    );
    return isChanged ? [`${asked.id} was changed after the redemption, and is judged by its present terms`] : [];
  });
}

/**
 * Calculates what the kept lines lose. The rules apply at the time of the redemption. Deleted redeemables can't be
 * judged, so their discounts on kept lines stay.
 */
export async function reprice(
  context: Writing,
  item: OrderItem,
  {
    sold,
    units,
    leaves,
    customer,
  }: {
    readonly sold: SoldOrder;
    readonly units: Units;
    readonly leaves: readonly RedemptionItem[];
    readonly customer: CustomerItem | undefined;
  },
): Promise<Repriced> {
  const discounts = leaves.filter(({ gift_credits, points }) => gift_credits === undefined && points === undefined);
  const [first] = discounts;
  const kept = keptOf(sold, units, item);
  if (!first || kept.every((one) => one.units === 0)) return nothingLost;
  const asked = {
    redeemables: discounts.map(nameOf),
    customer: customer && { data: { id: customer.id }, place: 'customer.' },
    order: bodyOf(item, sold, leaves, kept),
    session: undefined,
    trackingId: first.tracking_id,
    metadata: first.metadata,
  };
  const gathered = await gather({ ...context, now: new Date(first.date) }, asked, { isLimited: false });
  const gone = gathered.redeemables.filter(({ target: { voucher, tier } }) => !voucher && !tier);
  if (gone.length > 0) {
    const names = gone.map(({ target }) => target.asked.id).join(', ');
    return { ...nothingLost, notes: [`${names} was deleted, so the kept lines keep their discounts`] };
  }
  const costs = costsOf(apply(gathered), kept);
  const losses = kept.map(({ net }, index) => Math.max(0, (costs[index] ?? 0) - net));
  const loss = addUp(costs, (cost) => cost) - addUp(kept, ({ net }) => net);
  return { loss, shareLoss: (part) => share(part, losses), notes: notesOf(gathered, first.date) };
}
