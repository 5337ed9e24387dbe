import { listBundleKeys } from '#engine/rules/bundle.ts';
import { joinAll, type Logic, LogicFault, parseLogic } from '#engine/rules/check.ts';
import { readReference } from '#engine/rules/conditions.ts';
import { isBought } from '#engine/rules/lines.ts';
import { segmentNames } from '#engine/rules/names.ts';
import { listRuleKeys, logicKey, type Rules, readRuleName } from '#engine/rules/shape.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Cart, computeRest } from '../engine/cart.ts';
import { listRuleProducts } from '../request/asked-rules.ts';
import type { TargetRule } from '../request/target-rules.ts';

/** Checks cheap conditions that rules require. The rules themselves judge the rest. */

export interface RuleRequirements {
  /** The least amount of the order. */
  readonly amounts: readonly { readonly least: number; readonly isMore: boolean }[];
  /** The customer must be in one segment of each set, and the cart must contain something of each other set. */
  readonly segments: readonly ReadonlySet<string>[];
  readonly products: readonly ReadonlySet<string>[];
  /** Conditions that only complete bundles require. */
  readonly bundled: readonly ReadonlySet<string>[];
  /** All names in the rules. */
  readonly named: ReadonlySet<string>;
}

/** The compared facts of a request. An unknown fact excludes no candidate. */
export interface Compared {
  readonly amount: number | undefined;
  readonly segments: ReadonlySet<string> | undefined;
  /** The names of all lines. */
  readonly names: ReadonlySet<string>;
  /** The collections of lines, if they are known, and the collections that rules name. */
  readonly collections: ReadonlySet<string> | undefined;
  readonly isCollection: (id: string) => boolean;
}

/** Returns the keys of rules that the logic always requires. */
function necessaryKeys(logic: Logic): string[] {
  if ('key' in logic) return [logic.key];
  if ('all' in logic) return logic.all.flatMap(necessaryKeys);
  return logic.any.length === 1 ? logic.any.flatMap(necessaryKeys) : [];
}

function understood(logic: string, keys: readonly string[]): Logic {
  try {
    return parseLogic(logic, keys);
  } catch (error) {
    if (error instanceof LogicFault) return { any: [] };
    throw error;
  }
}

/** Reads the required rules of the first level. A rule that is not understood requires nothing here, and is never met. */
function necessaryRules(rules: Rules): Readonly<Record<string, unknown>>[] {
  const keys = listRuleKeys(rules);
  const { [logicKey]: logic } = rules;
  const needed = necessaryKeys(typeof logic === 'string' ? understood(logic, keys) : joinAll(keys));
  return needed.flatMap((key) => {
    const rule = rules[key];
    return isRecord(rule) ? [rule] : [];
  });
}

function idsOf(values: unknown): Set<string> {
  return new Set((Array.isArray(values) ? values : []).flatMap((value) => readReference(value) ?? []));
}

const lineNames: readonly string[] = ['order.items.any', 'order.items.every', 'product.id', 'sku.id'];

const orMore: readonly string[] = ['$more_than_or_equal', '$greater_than_or_equal', '$is'];

function amountsOf({ name, conditions }: Readonly<Record<string, unknown>>): RuleRequirements['amounts'] {
  if (name !== 'order.amount' || !isRecord(conditions)) return [];
  return Object.entries(conditions).flatMap(([operator, values]): RuleRequirements['amounts'] => {
    const [least, ...others] = Array.isArray(values) ? values : [];
    if (typeof least !== 'number' || others.length > 0) return [];
    if (operator === '$more_than') return [{ least, isMore: true }];
    return orMore.includes(operator) ? [{ least, isMore: false }] : [];
  });
}

/** Returns the values of each operator that matches one of several values. */
function setsOf({ conditions }: Readonly<Record<string, unknown>>): Set<string>[] {
  if (!isRecord(conditions)) return [];
  return ['$is', '$in', '$from'].flatMap((operator) =>
    Object.hasOwn(conditions, operator) ? [idsOf(conditions[operator])] : [],
  );
}

const kept = new WeakMap<TargetRule, RuleRequirements>();

export function readRequirements(rule: TargetRule): RuleRequirements {
  const known = kept.get(rule);
  if (known) return known;
  const { rules, bundle_rules } = rule.document;
  const needed = necessaryRules(rules ?? {});
  const parts = bundle_rules ? listBundleKeys(bundle_rules).map((key) => bundle_rules[key]) : [];
  const found: RuleRequirements = {
    amounts: needed.flatMap(amountsOf),
    segments: needed.filter((rule) => segmentNames.includes(readRuleName(rule))).flatMap(setsOf),
    products: needed.filter((rule) => lineNames.includes(readRuleName(rule))).flatMap(setsOf),
    bundled: parts.filter(isRecord).flatMap(setsOf),
    named: listRuleProducts(rule),
  };
  kept.set(rule, found);
  return found;
}

/** Returns all names by which rules can mean a line, without collections. */
export function collectLineNames({ lines }: Cart): Set<string> {
  const all = lines
    .filter(isBought)
    .flatMap(({ product_id, sku_id, source_id, product, sku }) => [
      product_id,
      sku_id,
      source_id,
      product?.source_id,
      sku?.source_id,
    ]);
  return new Set(all.filter((name) => name !== undefined));
}

export function readAmount(cart: Cart): number | undefined {
  return cart.amount === undefined ? undefined : computeRest(cart);
}

export function hasSome(wanted: ReadonlySet<string>, { names, collections, isCollection }: Compared): boolean {
  for (const id of wanted) {
    if (names.has(id) || collections?.has(id)) return true;
    if (collections === undefined && isCollection(id)) return true;
  }
  return false;
}

function isInOne(wanted: ReadonlySet<string>, segments: ReadonlySet<string>): boolean {
  for (const id of wanted) if (segments.has(id)) return true;
  return false;
}

/** Returns whether the customer may meet the rule, by the known facts. */
export function canCustomerMeet({ segments }: RuleRequirements, compared: Compared): boolean {
  const { segments: own } = compared;
  return own === undefined || segments.every((wanted) => isInOne(wanted, own));
}

export function canCartMeet({ amounts, products, bundled }: RuleRequirements, compared: Compared): boolean {
  const { amount } = compared;
  return (
    amounts.every(({ least, isMore }) => amount !== undefined && (isMore ? amount > least : amount >= least)) &&
    products.every((wanted) => hasSome(wanted, compared)) &&
    bundled.every((wanted) => hasSome(wanted, compared))
  );
}
