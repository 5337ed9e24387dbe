import { isRecord } from '#kernel/core/is-record.ts';
import { listNamedLocations } from '#kernel/kit/filters/compare.ts';
import { isOperand } from '#kernel/kit/filters/operands.ts';
import { listBundleKeys } from './bundle.ts';
import { readReference } from './conditions.ts';
import { counters } from './counter.ts';
import { segmentNames } from './names.ts';
import { listRuleKeys, type RuleDocument, readRuleName } from './shape.ts';

/** Collects the facts that rules need, so that one read serves all rules of a request. */
export interface Needs {
  /** The ids of segments and collections. */
  readonly segments: ReadonlySet<string>;
  readonly collections: ReadonlySet<string>;
  /** The ids of locations that rules name themselves. Filters of segments and collections may name others. */
  readonly locations: ReadonlySet<string>;
  /** Counters by the names of their rules. */
  readonly counters: ReadonlySet<string>;
  readonly loyaltyTiers: boolean;
}

const collectionPrefix = 'pc_';

function isIdOfCollection(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(collectionPrefix);
}

function isCollection(value: unknown, operator: string): boolean {
  if (operator === '$from') return true;
  if (!isRecord(value)) return isIdOfCollection(value);
  const { object, type, id } = value;
  if (object === 'products_collection' || type === 'products_collection') return true;
  return object === undefined && type === undefined && isIdOfCollection(id);
}

function collectionsIn(conditions: unknown): string[] {
  if (!isRecord(conditions)) return [];
  return Object.entries(conditions).flatMap(([operator, values]) =>
    (Array.isArray(values) ? values : []).flatMap((value) =>
      isCollection(value, operator) ? (readReference(value) ?? []) : [],
    ),
  );
}

/** Yields rules of all levels. */
export function* walkRules(rules: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (!isRecord(rules)) return;
  for (const key of listRuleKeys(rules)) {
    const rule = rules[key];
    if (!isRecord(rule)) continue;
    yield rule;
    yield* walkRules(rule.rules);
  }
}

const namesOfLines = /^(?:order\.items|product|sku)\./;

const none: ReadonlySet<string> = new Set();

/** Thousands of rules without needs share this object. */
function setOf(ids: readonly string[]): ReadonlySet<string> {
  return ids.length === 0 ? none : new Set(ids);
}

/** Returns the needs of one checked document. */
export function readNeeds({ rules, bundle_rules, applicable_to }: RuleDocument): Needs {
  const all = [...walkRules(rules)];
  const named = (...names: readonly string[]) => all.filter((rule) => names.includes(readRuleName(rule)));
  const valuesOf = ({ conditions }: Readonly<Record<string, unknown>>) =>
    isRecord(conditions) ? Object.values(conditions).flat().filter(isOperand).map(String) : [];
  const entries = [...(applicable_to?.included ?? []), ...(applicable_to?.excluded ?? [])];
  const bundles = bundle_rules ? listBundleKeys(bundle_rules).map((key) => bundle_rules[key]) : [];
  const ofLines = [...all.filter((rule) => namesOfLines.test(readRuleName(rule))), ...bundles.filter(isRecord)];
  return {
    segments: setOf(named(...segmentNames).flatMap(valuesOf)),
    collections: setOf([
      ...ofLines.flatMap(({ conditions }) => collectionsIn(conditions)),
      ...entries.flatMap(({ object, id }) => (object === 'products_collection' && id ? [id] : [])),
    ]),
    locations: setOf(all.flatMap(({ conditions }) => listNamedLocations(conditions))),
    counters: setOf(all.map(readRuleName).filter((name) => counters.has(name))),
    loyaltyTiers: named('customer.loyalty.tier').length > 0,
  };
}

/** Merges the needs of all rules of a request. */
export function mergeNeeds(all: readonly Needs[]): Needs {
  return {
    segments: new Set(all.flatMap(({ segments }) => [...segments])),
    collections: new Set(all.flatMap(({ collections }) => [...collections])),
    locations: new Set(all.flatMap(({ locations }) => [...locations])),
    counters: new Set(all.flatMap(({ counters }) => [...counters])),
    loyaltyTiers: all.some(({ loyaltyTiers }) => loyaltyTiers),
  };
}
