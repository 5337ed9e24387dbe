import { addUp } from '#kernel/core/sum.ts';
import { checkAmounts, computeFigures, type OrderAmounts } from '../orders/figures.ts';
import type { Catalogue, OrderLine } from '../orders/line.ts';
import { type Application, applyRedeemable, collectEffects, explainNoEffect, type RedeemableRefusal } from './apply.ts';
import {
  type Applied,
  type AppliedToLine,
  buildCart,
  type Cart,
  type CheckoutOrder,
  mergeApplied,
  nothingApplied,
} from './cart.ts';
import type { EarlierRedeemable, Effects, Redeemable } from './redeemable.ts';
import {
  chooseCalculationMode,
  decidesFirst,
  findGroup,
  isSkippedWithoutEffect,
  type SkipKey,
  StackingLimits,
  type StackingRules,
  sortByApplication,
} from './stacking-rules.ts';

/** The figures of an order in replies. Without a discount, the figures of discounts are left out. */
interface CheckoutFigures extends OrderAmounts {
  applied_discount_amount?: number;
  items_applied_discount_amount?: number;
  total_applied_discount_amount?: number;
}

export type CheckoutItem = OrderLine & AppliedToLine;

/** An order with its changes. Orders and redemptions store the excess figures, and replies do not show them. */
export interface ShownOrder extends CheckoutFigures {
  items: CheckoutItem[];
  /** The part of the whole order's discount that no longer fits, since the amount fell. */
  excess_discount_amount?: number;
  /** The part of the amount that could not be deducted, because the amount must cover the discounts of lines. */
  excess_amount?: number;
  /** The part of the latest discount on the whole order that no longer fits. */
  excess_applied_discount_amount?: number;
}

/** Returns the discount of all lines, if one was tried. */
function itemsApplied({ lines }: Applied): number | undefined {
  const discounts = [...lines.values()].flatMap(({ applied_discount_amount }) => applied_discount_amount ?? []);
  return discounts.length > 0 ? addUp(discounts, (discount) => discount) : undefined;
}

/** Shows figures of a discount, 0 included. */
function totals(cart: Cart, applied: Applied, items: number | undefined): OrderAmounts {
  const { discount_amount, amount, initial_amount } = cart;
  const figures = computeFigures(cart.lines, { amount, initial_amount, discount_amount });
  if (figures.amount === undefined) return figures;
  return {
    ...(applied.order === undefined ? {} : { discount_amount: 0 }),
    ...(items === undefined ? {} : { items_discount_amount: 0 }),
    ...(applied.order === undefined && items === undefined ? {} : { total_discount_amount: 0 }),
    ...figures,
  };
}

/** Returns the total discount, or nothing if none was tried. */
export function sumTakenOff(applied: Applied): number | undefined {
  const items = itemsApplied(applied);
  return applied.order === undefined && items === undefined ? undefined : (applied.order ?? 0) + (items ?? 0);
}

/** Returns the whole order's discount, as far as it still fits. */
function fitting(cart: Cart, applied: Applied): Applied {
  return applied.order === undefined ? applied : { ...applied, order: Math.min(applied.order, cart.discount_amount) };
}

/** Shows the order. `applied` are the changes of one redeemable, or of the whole request. */
export function showOrder(cart: Cart, applied: Applied): ShownOrder {
  const items = itemsApplied(applied);
  const fits = fitting(cart, applied);
  const { order } = fits;
  const taken = sumTakenOff(fits);
  const excess = cart.excess_discount_amount;
  const beyond = (applied.order ?? 0) - (order ?? 0);
  return {
    ...(cart.excess_amount > 0 ? { excess_amount: cart.excess_amount } : {}),
    ...(excess > 0 ? { excess_discount_amount: excess } : {}),
    ...(beyond > 0 ? { excess_applied_discount_amount: beyond } : {}),
    ...totals(cart, applied, items),
    ...(order === undefined ? {} : { applied_discount_amount: order }),
    ...(items === undefined ? {} : { items_applied_discount_amount: items }),
    ...(taken === undefined ? {} : { total_applied_discount_amount: taken }),
    items: cart.lines.map(({ collections: _, original_amount: __, shown, ...line }, index) => ({
      ...line,
      ...shown,
      ...applied.lines.get(index),
    })),
  };
}

/** Applies redeemables to an order one after another. It calculates, and changes nothing. */

interface Applicable extends Omit<Application, 'cart'> {
  readonly status: 'APPLICABLE';
  readonly effects: Effects;
  /** The cart after this redeemable, with its changes. */
  readonly order: ShownOrder;
}

export type Outcome =
  | Applicable
  | { readonly status: 'INAPPLICABLE'; readonly refusal: RedeemableRefusal }
  | { readonly status: 'SKIPPED'; readonly key: SkipKey };

export interface Considered<R extends Redeemable> {
  readonly redeemable: R;
  readonly outcome: Outcome;
}

export interface Checkout<R extends Redeemable> {
  /** True if something is applied, and in mode ALL nothing failed. */
  readonly isValid: boolean;
  /** The redeemables in the order of application. */
  readonly considered: readonly Considered<R>[];
  /** The cart after all of them. */
  readonly order: ShownOrder;
}

export interface CheckoutOptions {
  readonly rules: StackingRules;
  readonly catalogue: Catalogue;
}

/** Makes the value on its first use. Hundreds of orders are compared, and few are shown. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** One walk over redeemables: the current cart, and the applied redeemables. */
class Walk<R extends Redeemable> {
  readonly considered: Considered<R>[] = [];
  private readonly stack: StackingLimits;
  private readonly earlier: EarlierRedeemable<R>[] = [];
  private readonly options: CheckoutOptions;
  private cart: Cart;
  private applied: Applied = nothingApplied;

  constructor(cart: Cart, options: CheckoutOptions, kept: readonly R[] = []) {
    this.cart = cart;
    this.options = options;
    this.stack = new StackingLimits(options.rules, kept);
  }

  order(): ShownOrder {
    return showOrder(this.cart, this.applied);
  }

  skip(redeemable: R, key: SkipKey): void {
    this.considered.push({ redeemable, outcome: { status: 'SKIPPED', key } });
  }

  /** Applies a redeemable unless it is refused or left out, and returns its status. */
  apply(redeemable: R): Outcome['status'] {
    const { rules, catalogue } = this.options;
    this.stack.free(redeemable);
    const conditions = {
      catalogue,
      mode: chooseCalculationMode(redeemable, rules),
      isOnce: rules.redeemables_products_application_mode === 'ONCE',
    };
    const found = applyRedeemable(this.cart, redeemable, conditions, this.earlier);
    const outcome = this.outcomeOf(
      redeemable,
      explainNoEffect(found, { redeemable, conditions, earlier: this.earlier }),
    );
    this.considered.push({ redeemable, outcome });
    return outcome.status;
  }

  private outcomeOf(redeemable: R, found: Application | RedeemableRefusal): Outcome {
    if ('key' in found) return { status: 'INAPPLICABLE', refusal: found };
    if (!found.isEffective && isSkippedWithoutEffect(redeemable, this.options.rules)) {
      return { status: 'SKIPPED', key: 'no_effect' };
    }
    const refused = this.stack.refuses(redeemable);
    if (refused) return { status: 'SKIPPED', key: refused };
    const { cart, ...application } = found;
    const effects = collectEffects(this.cart, found);
    if (cart.lines !== this.cart.lines) checkAmounts(cart.lines);
    this.earlier.push({ redeemable, ...effects });
    this.cart = cart;
    this.applied = mergeApplied(this.applied, application.applied);
    this.stack.add(redeemable);
    const order = once(() => showOrder(cart, application.applied));
    return {
      status: 'APPLICABLE',
      ...application,
      effects,
      get order() {
        return order();
      },
    };
  }
}

/**
 * Returns the usable exclusive redeemables. They exclude even earlier common redeemables. If payments are applied last,
 * exclusive redeemables decide among themselves, because joint ones would always precede an exclusive payment.
 */
function findExclusive<R extends Redeemable>(cart: Cart, sorted: readonly R[], options: CheckoutOptions): R[] {
  const { rules } = options;
  const walk = new Walk<R>(cart, options);
  const isExclusive = (one: R) => findGroup(one, rules) === 'EXCLUSIVE';
  const takesPart = (one: R) => isExclusive(one) || (!decidesFirst(rules) && findGroup(one, rules) === 'JOINT');
  return sorted.filter(takesPart).filter((one) => walk.apply(one) === 'APPLICABLE' && isExclusive(one));
}

/**
 * Applies the redeemables. In mode ALL, the first redeemable that cannot be used ends the walk. A redeemable that
 * limits leave out, or that has no effect, does not count as a failure.
 */
export function checkout<R extends Redeemable>(
  order: CheckoutOrder | undefined,
  redeemables: readonly R[],
  options: CheckoutOptions,
): Checkout<R> {
  const { rules } = options;
  const cart = buildCart(order);
  const sorted = sortByApplication(redeemables, rules);
  const exclusive = findExclusive(cart, sorted, options);
  const walk = new Walk<R>(cart, options, decidesFirst(rules) ? exclusive : []);
  let hasFailed = false;
  for (const one of sorted) {
    if (hasFailed) walk.skip(one, 'preceding_validation_failed');
    else if (exclusive.length > 0 && findGroup(one, rules) === 'COMMON') walk.skip(one, 'exclusion_rules_not_met');
    else hasFailed = walk.apply(one) === 'INAPPLICABLE' && rules.redeemables_application_mode === 'ALL';
  }
  const isUsed = walk.considered.some(({ outcome }) => outcome.status === 'APPLICABLE');
  const shown = once(() => walk.order());
  return {
    isValid: !hasFailed && isUsed,
    considered: walk.considered,
    get order() {
      return shown();
    },
  };
}
