import { findNewestTiers } from '#engine/campaigns/promotions/find-newest-tiers.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import { findTierRefusal } from '#engine/rules/validity/refusals.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { buildCart, type Cart } from '../engine/cart.ts';
import { type Checkout, type Considered, checkout } from '../engine/checkout.ts';
import { createCounterOpener } from '../redemptions/open-counters.ts';
import type { Calling, FoundRedeemable } from '../request/build-redeemable.ts';
import { type Asked, readAsked } from '../request/checkout-body.ts';
import type { Gathered } from '../request/gather.ts';
import { judgeCheckout } from '../request/judge-checkout.ts';
import { allocateDiscounts, type Parts, sumParts } from './allocate.ts';
import { type CommerceCart, type CommerceLine, checkPrices } from './cart-body.ts';
import { findCodes, type RefusedCode, refuseByRules, refuseCode, refuseSkipped } from './find-codes.ts';

/** Judges a cart of an agent: its codes, and the promotions that apply by themselves. It stores nothing. */

/** Limits the tried promotion tiers to the newest available tiers. */
const maxTiers = 150;

export interface AppliedToCart {
  readonly redeemable: FoundRedeemable;
  /** The code as the cart has it. Promotions have none. */
  readonly code: string | undefined;
  readonly outcome: Extract<Considered<FoundRedeemable>['outcome'], { status: 'APPLICABLE' }>;
  readonly amount: number;
  readonly parts: Parts;
}

export interface PricedCart {
  readonly cart: CommerceCart;
  /** The cart after all discounts. Free products follow the cart's own lines. */
  readonly after: Cart;
  readonly applied: readonly AppliedToCart[];
  readonly refused: readonly RefusedCode[];
  readonly judged: Checkout<FoundRedeemable>;
}

/** Returns the line in the form of checkouts. A weighed line is a single unit, because checkouts count whole units. */
function toLine({ itemId, title, price, quantity, scale }: CommerceLine, index: number) {
  const named = { product: { source_id: itemId, name: title }, sku: { source_id: itemId } };
  if (scale === 0) return { ...named, quantity, ...(price === undefined ? {} : { price }) };
  if (price === undefined) {
    throw new ServiceError('invalid_payload', {
      details: `line_items[${index}].item.price must be sent, because the item is sold by a unit with scale ${scale}`,
    });
  }
  const steps = 10n ** BigInt(scale);
  const amount = Number((BigInt(price) * BigInt(quantity) + steps / 2n) / steps);
  return { ...named, quantity: 1, price: amount };
}

/** Reports faults of lines at their place in the cart. */
async function inWordsOfCart<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError && error.key === 'invalid_payload')) throw error;
    throw new ServiceError(error.key, { details: error.details.replaceAll('order.items', 'line_items') });
  }
}

/** Makes the checkout of a cart, without redeemables. */
async function readAskedCart(context: Calling, { lines, customerName }: CommerceCart): Promise<Asked> {
  const known = customerName === undefined ? undefined : await findCustomerItem(context, customerName);
  const customer = known ? { id: known.id } : customerName === undefined ? undefined : { source_id: customerName };
  return readAsked({ redeemables: [], customer, order: { items: lines.map(toLine) } });
}

/** Keeps the available tiers that reduce the cart by themselves. */
function filterTiers({ redeemables, checkoutOrder, catalogue }: Gathered, rules: Gathered['stackingRules'], now: Date) {
  return redeemables.filter((one) => {
    const { tier } = one.target;
    if (!tier || !one.campaign || findTierRefusal(tier, one.campaign, now)) return false;
    const [alone] = checkout(checkoutOrder, [one], { rules, catalogue }).considered;
    return alone?.outcome.status === 'APPLICABLE' && alone.outcome.isEffective;
  });
}

type Placed = (one: FoundRedeemable) => { index: number; code: string } | undefined;

function listRefused({ considered }: Checkout<FoundRedeemable>, placeOf: Placed): RefusedCode[] {
  return considered.flatMap(({ redeemable, outcome }) => {
    const place = placeOf(redeemable);
    if (!place) return [];
    if (outcome.status === 'INAPPLICABLE') return [refuseByRules(place, outcome.refusal)];
    if (outcome.status === 'SKIPPED') return [refuseSkipped(place, outcome.key)];
    return outcome.isEffective ? [] : [refuseCode(place, 'minimum_not_met')];
  });
}

function listApplied({ considered }: Checkout<FoundRedeemable>, after: Cart, placeOf: Placed): AppliedToCart[] {
  const all = considered.flatMap(({ redeemable, outcome }) =>
    outcome.status === 'APPLICABLE' && outcome.isEffective ? [{ redeemable, outcome }] : [],
  );
  const parts = allocateDiscounts(
    all.map(({ outcome }) => outcome.effects),
    after,
  );
  return all.map(({ redeemable, outcome }, index) => {
    const own = parts[index] ?? new Map();
    return { redeemable, outcome, code: placeOf(redeemable)?.code, amount: sumParts(own), parts: own };
  });
}

/**
 * Prices the cart. Each code that cannot be used is refused by itself, whatever the project's stacking rules define for
 * a single failure. Codes come before promotions unless categories order them.
 */
export function priceCart(context: Calling, cart: CommerceCart): Promise<PricedCart> {
  return inWordsOfCart(async () => {
    const [codes, tiers, asked] = await Promise.all([
      findCodes(context, cart.codes),
      findNewestTiers(context, { most: maxTiers }),
      readAskedCart(context, cart),
    ]);
    const redeemables = [
      ...codes.found.map(({ voucherCode }) => ({ object: 'voucher' as const, id: voucherCode })),
      ...tiers.map(({ id }) => ({ object: 'promotion_tier' as const, id })),
    ];
    const asking = { ...asked, redeemables };
    const { gathered } = await judgeCheckout(context, asking, createCounterOpener(), { isLimited: false });
    const { checkoutOrder, catalogue, stackingRules } = gathered;
    checkPrices(checkoutOrder?.items ?? []);
    const rules = { ...stackingRules, redeemables_application_mode: 'PARTIAL' as const };
    const places = new Map(codes.found.map(({ voucherCode, index, code }) => [voucherCode, { index, code }]));
    const placeOf: Placed = ({ target: { asked: one } }) => (one.object === 'voucher' ? places.get(one.id) : undefined);
    const own = gathered.redeemables.filter((one) => placeOf(one) !== undefined);
    const all = [...own, ...filterTiers(gathered, rules, context.now)];
    const judged = checkout(checkoutOrder, all, { rules, catalogue });
    const outcomes = judged.considered.map(({ outcome }) => outcome).filter((one) => one.status === 'APPLICABLE');
    const after = outcomes.at(-1)?.effects.after ?? buildCart(checkoutOrder);
    return {
      cart,
      after,
      judged,
      applied: listApplied(judged, after, placeOf),
      refused: [...codes.refused, ...listRefused(judged, placeOf)].sort((one, other) => one.index - other.index),
    };
  });
}
