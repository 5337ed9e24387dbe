import { isRecord } from '../core/is-record.ts';
import { findConditionFaults } from './conditions.ts';
import { canHaveBundles } from './context-types.ts';
import { listRuleKeys, logicKey, maxRulesOfDocument } from './shape.ts';

/** Checks the form of bundles: the products and units of each part. */

export const maxBundles = 100;

/** The default limit of bundles in a redemption. */
export const defaultBundles = 1;

const limitKey = 'limit';

export function listBundleKeys(bundles: Readonly<Record<string, unknown>>): string[] {
  return listRuleKeys(bundles).filter((key) => key !== limitKey);
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most;
}

/** Returns the units of a part in one bundle. */
export function readPartUnits(part: unknown): number | undefined {
  const rules = isRecord(part) ? part.rules : undefined;
  if (!isRecord(rules)) return undefined;
  for (const key of listRuleKeys(rules)) {
    const rule = rules[key];
    if (!isRecord(rule) || rule.name !== 'order.items.aggregated_quantity' || !isRecord(rule.conditions)) continue;
    const [wanted] = Array.isArray(rule.conditions.$is) ? rule.conditions.$is : [];
    if (isWhole(wanted, Number.MAX_SAFE_INTEGER)) return wanted;
  }
  return undefined;
}

function* partFaults(part: unknown, place: string): Generator<string> {
  if (!isRecord(part)) return yield `${place} must be an object`;
  if (part.name !== 'order.items.any') yield `${place}.name must be order.items.any`;
  if (!isRecord(part.conditions) || !Object.hasOwn(part.conditions, '$is')) yield `${place}.conditions.$is is required`;
  else yield* findConditionFaults('lines', part.conditions, `${place}.conditions`);
  if (readPartUnits(part) === undefined)
    yield `${place}.rules must have order.items.aggregated_quantity with $is and a number of units, 1 or more`;
}

export function* findBundleFaults(bundles: unknown, contextType: string): Generator<string> {
  if (bundles === undefined || bundles === null) return;
  if (!isRecord(bundles)) return yield 'bundle_rules must be an object';
  if (Object.keys(bundles).length === 0) return;
  if (!canHaveBundles(contextType)) return yield `bundle_rules makes no sense in the context ${contextType}`;
  const { limit = defaultBundles } = bundles;
  if (limit !== null && !isWhole(limit, maxBundles))
    yield `bundle_rules.limit must be an integer from 1 to ${maxBundles}`;
  const keys = listBundleKeys(bundles);
  if (keys.length === 0) yield 'bundle_rules must have at least one rule';
  if (keys.length > maxRulesOfDocument) return yield `bundle_rules must have at most ${maxRulesOfDocument} rules`;
  for (const key of keys) yield* partFaults(bundles[key], `bundle_rules.${key}`);
  if (bundles[logicKey] !== undefined && typeof bundles[logicKey] !== 'string')
    yield `bundle_rules.${logicKey} must be a text`;
}
