import type { OfKind, Refusal } from '#engine/rules/benefit.ts';
import type { Bundles } from '#engine/rules/bundle.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import type { Catalogue } from '../orders/line.ts';
import { type ShownEntries, showScope } from './applicable.ts';
import { type Applied, type Cart, type CartStep, computeRest, hasEffect, nothingApplied } from './cart.ts';
import {
  chooseEffect,
  countLackedPoints,
  payByGift,
  payByPoints,
  payItemsByGift,
  type ShownDiscount,
  showDiscount,
} from './credit.ts';
import { type DiscountTerms, discountItems, discountOrder, selectUnits } from './item-discount.ts';
import type { EarlierRedeemable, Effects, Redeemable } from './redeemable.ts';
import { type Selected, selectLines } from './selection.ts';
import { isPayment } from './stacking-rules.ts';
import { discountUnits, nameUnits } from './unit-discount.ts';

/** Applies one redeemable to an order as earlier ones have left it. */

/** The applied amounts, by the names of replies. */
interface Result {
  readonly discount?: ShownDiscount;
  /** The card's balance before. */
  readonly gift?: { readonly balance: number; readonly credits: number };
  readonly loyalty_card?: { readonly points: number };
  readonly bundle?: Bundles;
  /** True if a discount had no effect because credits or points had already paid. */
  readonly isPaidBefore?: true;
}

export interface Application {
  readonly cart: Cart;
  readonly applied: Applied;
  readonly result: Result;
  readonly applicable_to: ShownEntries;
  readonly inapplicable_to: ShownEntries;
  /** True if anything was taken off or added, or a credit or point was used. */
  readonly isEffective: boolean;
}

/** A refusal. `bundle` shows the products of which the order has too few. */
export type RedeemableRefusal = Refusal & { readonly bundle?: Bundles };

export interface Conditions extends Pick<DiscountTerms, 'mode' | 'isOnce'> {
  readonly catalogue: Catalogue;
}

/** A step, with its description for replies. */
interface Done extends CartStep {
  readonly result: Result;
  readonly selection: readonly Selected[];
  readonly isEffective: boolean;
}

type Holder = Pick<Redeemable, 'held'>;

/** Adds the amount that other sessions hold, because it may become available again. */
function lacking(words: string, { held }: Holder): string {
  return held === undefined ? words : `${words}: ${held}`;
}

/** Returns the error text that names the remaining balance when the request exceeds it. */
function left(what: 'credits' | 'points', balance: number, asked: number, holder: Holder): string {
  return lacking(`${balance} ${what} are left, and ${asked} are asked for`, holder);
}

function missingAmount({ amount }: Cart): Refusal | undefined {
  return amount === undefined ? { key: 'missing_amount' } : undefined;
}

/** Returns a refusal that names the missing part of the order, for credits that pay for its lines. */
function missingLines(cart: Cart): Refusal | undefined {
  if (!cart.isOrdered) return { key: 'missing_order' };
  if (cart.lines.length === 0) return { key: 'missing_order_items' };
  return cart.lines.every(({ amount }) => amount === undefined) ? { key: 'missing_order_items_amount' } : undefined;
}

function applyDiscount(
  cart: Cart,
  discount: Discount,
  { scope }: Redeemable,
  terms: DiscountTerms & Conditions,
): Done | Refusal {
  const effect = chooseEffect(discount, scope);
  const shown = { result: { discount: showDiscount(discount, scope) } };
  if (discount.type === 'UNIT') {
    if (!cart.isOrdered) return { key: 'missing_order' };
    const selection = selectLines(cart, scope, { ...terms, bundles: 1 });
    const step = discountUnits(cart, discount, effect, terms, { ...terms, selection });
    const named = { discount: showDiscount(nameUnits(discount, terms.catalogue), scope) };
    return step
      ? { ...step, result: named, selection, isEffective: hasEffect(step.applied) }
      : { key: 'invalid_amount' };
  }
  const meant = { ...discount, effect };
  if (effect !== 'APPLY_TO_ORDER') {
    // Without a matching line nothing is taken off, because any cart may be tried with codes for some products.
    const selection = selectUnits(cart, meant, scope, terms);
    const step = discountItems(cart, meant, selection, terms);
    return { ...step, ...shown, selection, isEffective: hasEffect(step.applied) };
  }
  // A code may be used without an order. In that case no amount can be reduced.
  if (!cart.isOrdered) return { cart, applied: nothingApplied, ...shown, selection: [], isEffective: true };
  const missing = missingAmount(cart);
  if (missing) return missing;
  const step = discountOrder(cart, meant, terms);
  return { ...step, ...shown, selection: [], isEffective: hasEffect(step.applied) };
}

function applyGift(cart: Cart, { gift }: OfKind<'gift'>, one: Redeemable, terms: DiscountTerms): Done | Refusal {
  const { balance, credits = 0 } = gift;
  if (credits > balance) return { key: 'gift_amount_exceeded', details: left('credits', balance, credits, one) };
  const isForItems = gift.effect === 'APPLY_TO_ITEMS';
  const missing = isForItems ? missingLines(cart) : missingAmount(cart);
  if (missing) return missing;
  // An empty card would leave the order PAID without a payment. A caller that intends this sends 0 credits.
  if (balance === 0 && gift.credits === undefined && computeRest(cart) > 0) {
    return { key: 'gift_amount_exceeded', details: one.held ?? 'no credits are left' };
  }
  const selection = isForItems ? selectLines(cart, one.scope, terms) : [];
  const { charged, ...step } = isForItems ? payItemsByGift(cart, gift, selection) : payByGift(cart, gift);
  return { ...step, result: { gift: { balance, credits: charged } }, selection, isEffective: charged > 0 };
}

function applyPoints(cart: Cart, { points }: OfKind<'points'>, holder: Holder): Done | Refusal {
  const { balance } = points;
  const { points: asked = 0 } = points;
  if (asked > balance) return { key: 'loyalty_card_points_exceeded', details: left('points', balance, asked, holder) };
  const missing = missingAmount(cart);
  if (missing) return missing;
  const fewest = countLackedPoints(cart, points);
  if (fewest !== undefined) {
    const details = lacking(`${balance} points are left, and an order is paid by at least ${fewest}`, holder);
    return { key: 'loyalty_card_points_exceeded', details };
  }
  const { charged, ...step } = payByPoints(cart, points);
  return { ...step, result: { loyalty_card: { points: charged } }, selection: [], isEffective: charged > 0 };
}

function applyReward(cart: Cart, { reward: { balance, points } }: OfKind<'reward'>, holder: Holder): Done | Refusal {
  if (points > balance)
    return { key: 'loyalty_card_points_exceeded', details: left('points', balance, points, holder) };
  const result = { loyalty_card: { points } };
  return { cart, applied: nothingApplied, result, selection: [], isEffective: true };
}

function applyBenefit(cart: Cart, redeemable: Redeemable, terms: DiscountTerms & Conditions): Done | Refusal {
  const { benefit } = redeemable;
  switch (benefit.kind) {
    case 'discount':
      return applyDiscount(cart, benefit.discount, redeemable, terms);
    case 'gift':
      return applyGift(cart, benefit, redeemable, terms);
    case 'points':
      return applyPoints(cart, benefit, redeemable);
    case 'reward':
      return applyReward(cart, benefit, redeemable);
  }
}

export function collectEffects(
  before: Cart,
  { cart, applied, result }: Pick<Done, 'cart' | 'applied' | 'result'>,
): Effects {
  return {
    before,
    after: cart,
    applied,
    credits: result.gift?.credits ?? 0,
    points: result.loyalty_card?.points ?? 0,
  };
}

/** Lets the rules give the reason in their own words, and names further obstacles. */
function withoutBundle(cart: Cart, { judge }: Redeemable, earlier: readonly EarlierRedeemable<Redeemable>[]): Refusal {
  const nothing = collectEffects(cart, { cart, applied: nothingApplied, result: {} });
  return judge?.(nothing, earlier) ?? { key: 'order_rules_violated' };
}

/** Applies the redeemable. `earlier` were applied before it. */
export function applyRedeemable(
  cart: Cart,
  redeemable: Redeemable,
  conditions: Conditions,
  earlier: readonly EarlierRedeemable<Redeemable>[] = [],
): Application | RedeemableRefusal {
  const refusal = redeemable.check?.(cart);
  const bundle = redeemable.bundles?.(cart.lines);
  if (bundle?.quantity === 0) {
    return { ...(refusal ?? withoutBundle(cart, redeemable, earlier)), bundle };
  }
  if (refusal) return refusal;
  const terms = { ...conditions, bundles: bundle?.quantity ?? 1, facts: redeemable.facts };
  const done = applyBenefit(cart, redeemable, terms);
  if ('key' in done) return done;
  const { selection, result, ...step } = done;
  const unmet = redeemable.judge?.(collectEffects(cart, done), earlier);
  if (unmet) return unmet;
  return {
    ...step,
    ...showScope(cart, redeemable.scope, selection),
    result: { ...result, ...(bundle ? { bundle } : {}) },
  };
}

interface Attempt {
  readonly redeemable: Redeemable;
  readonly conditions: Conditions;
  readonly earlier: readonly EarlierRedeemable<Redeemable>[];
}

/** Notes that a discount took nothing only because credits or points were applied before it. */
export function explainNoEffect(
  found: Application | RedeemableRefusal,
  { redeemable, conditions, earlier }: Attempt,
): Application | RedeemableRefusal {
  if ('key' in found || found.isEffective || redeemable.benefit.kind !== 'discount') return found;
  const payment = earlier.find((one) => isPayment(one.redeemable) && one.credits + one.points > 0);
  const unpaid = payment && applyRedeemable(payment.before, redeemable, conditions);
  if (!unpaid || 'key' in unpaid || !unpaid.isEffective) return found;
  return { ...found, result: { ...found.result, isPaidBefore: true } };
}
