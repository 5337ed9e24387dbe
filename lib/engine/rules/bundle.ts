import { isRecord } from '#kernel/core/is-record.ts';
import { findConditionFaults, readReference } from './conditions.ts';
import type { RuleLine } from './context.ts';
import { isNamed } from './lines.ts';
import { canHaveBundles, listRuleKeys, logicKey, maxRulesOfDocument, type RuleDocument } from './shape.ts';

/** Assigns units of lines to parts that need them. A unit that fits several parts is assigned where it is needed. */

interface UnitLine {
  readonly quantity: number;
}

/** A number of units of lines that fit. Lines are given by their indices. */
interface Demand {
  readonly wanted: number;
  readonly fitting: readonly number[];
}

/** The assigned units by the indices of lines, and the units that are missing. */
interface Supply {
  readonly units: ReadonlyMap<number, number>;
  readonly missing: number;
}

/** Assigns the most units to all parts together (augmenting paths by Ford and Fulkerson). */
class Assignment {
  readonly units: Map<number, number>[];
  private readonly demands: readonly Demand[];
  private readonly free: number[];

  constructor(lines: readonly UnitLine[], demands: readonly Demand[]) {
    this.demands = demands;
    this.free = lines.map(({ quantity }) => quantity);
    this.units = demands.map(() => new Map());
  }

  /** Gives a part up to `wanted` units. Returns the number of units that it received. */
  give(part: number, wanted: number): number {
    let left = wanted;
    for (let got = -1; left > 0 && got !== 0; left -= got) got = this.find(part, left, new Set());
    return wanted - left;
  }

  /** Uses units that are free, or that another part can replace. Each part is tried once. */
  private find(part: number, wanted: number, asked: Set<number>): number {
    asked.add(part);
    let left = wanted;
    for (const index of this.demands[part]?.fitting ?? []) {
      left -= this.take(part, index, Math.min(left, this.free[index] ?? 0));
      for (const [other, units] of this.units.entries()) {
        const there = units.get(index) ?? 0;
        if (left === 0 || there === 0 || asked.has(other)) continue;
        const moved = this.find(other, Math.min(left, there), asked);
        this.take(other, index, -moved);
        left -= this.take(part, index, moved);
      }
    }
    return wanted - left;
  }

  private take(part: number, index: number, count: number): number {
    const units = this.units[part];
    units?.set(index, (units.get(index) ?? 0) + count);
    this.free[index] = (this.free[index] ?? 0) - count;
    return count;
  }
}

/** Assigns as many units as possible. The first demands win if there are not enough. */
function assignUnits(lines: readonly UnitLine[], demands: readonly Demand[]): Supply[] {
  const assignment = new Assignment(lines, demands);
  const missing = demands.map(({ wanted }, part) => wanted - assignment.give(part, wanted));
  return missing.map((count, part) => ({
    units: new Map([...(assignment.units[part] ?? [])].filter(([, units]) => units > 0)),
    missing: count,
  }));
}

interface Reference {
  readonly id: string;
  readonly object: string;
}

interface Part {
  readonly units: number;
  readonly references: readonly Reference[];
}

/** The units of lines in bundles. Without a complete bundle, they are the units of the first, with its missing parts. */
export interface Bundles {
  /** The number of complete bundles, at most `limit`. */
  readonly quantity: number;
  readonly limit: number;
  readonly identified: readonly (Reference & { item_index: number; item_quantity: number })[];
  readonly missing: readonly (Reference & { item_quantity: number })[];
}

function objectOf(value: unknown): string {
  const { object, type } = isRecord(value) ? value : {};
  const named = object ?? type;
  return named === 'sku' || named === 'products_collection' ? named : 'product';
}

function partOf(part: unknown): Part {
  const sent = isRecord(part) && isRecord(part.conditions) ? part.conditions.$is : undefined;
  const references = (Array.isArray(sent) ? sent : []).flatMap((value) => {
    const id = readReference(value);
    return id === undefined ? [] : [{ id, object: objectOf(value) }];
  });
  return { units: readPartUnits(part) ?? Number.POSITIVE_INFINITY, references };
}

const isOfCollections = ({ references }: Part) => references.some(({ object }) => object === 'products_collection');

type Taken = Pick<Bundles, 'identified' | 'missing'>;

/** Returns the lines that a part fits, by the first of its references. */
function fittingOf({ references }: Part, lines: readonly RuleLine[]): Map<number, Reference> {
  const sets = references.map((reference) => ({ reference, ids: new Set([reference.id]) }));
  const found = lines.map((line) => sets.find(({ ids }) => isNamed(line, ids))?.reference);
  return new Map(found.flatMap((reference, index) => (reference ? [[index, reference]] : [])));
}

/** Returns the units of several bundles. Each unit is in one part of one bundle. */
function take(parts: readonly Part[], lines: readonly RuleLine[], bundles: number): Taken {
  const places = parts.map((part) => fittingOf(part, lines));
  const demands = parts.map(({ units }, part) => ({
    wanted: Math.min(Number.MAX_SAFE_INTEGER, units * bundles),
    fitting: [...(places[part]?.keys() ?? [])],
  }));
  const supplies = assignUnits(lines, demands);
  const identified = supplies.flatMap(({ units }, part) =>
    [...units].flatMap(([item_index, item_quantity]) => {
      const reference = places[part]?.get(item_index);
      return reference ? [{ ...reference, item_index, item_quantity }] : [];
    }),
  );
  const missing = supplies.flatMap(({ missing: item_quantity }, part) => {
    const [first] = parts[part]?.references ?? [];
    return item_quantity > 0 && first ? [{ ...first, item_quantity }] : [];
  });
  return { identified, missing };
}

/**
 * Finds complete bundles in the lines. If the units do not suffice for a bundle, named products come before
 * collections.
 */
export function compileBundles({ bundle_rules }: RuleDocument): ((lines: readonly RuleLine[]) => Bundles) | undefined {
  if (!bundle_rules || listBundleKeys(bundle_rules).length === 0) return undefined;
  const limit = typeof bundle_rules.limit === 'number' ? bundle_rules.limit : defaultBundles;
  const parts = listBundleKeys(bundle_rules)
    .map((key) => partOf(bundle_rules[key]))
    .sort((one, other) => Number(isOfCollections(one)) - Number(isOfCollections(other)));
  return (lines) => {
    let found = { quantity: 0, ...take(parts, lines, 1) };
    // The number is found by a binary search, because a rule can name thousands of products.
    let [least, most] = [1, limit];
    while (least <= most) {
      const quantity = Math.ceil((least + most) / 2);
      const taken = take(parts, lines, quantity);
      const isWhole = taken.missing.length === 0;
      if (isWhole) found = { quantity, ...taken };
      [least, most] = isWhole ? [quantity + 1, most] : [least, quantity - 1];
    }
    return { limit, ...found };
  };
}

/** Checks the form of bundles: the products and units of each part. */

const maxBundles = 100;

/** The default limit of bundles in a redemption. */
const defaultBundles = 1;

const limitKey = 'limit';

export function listBundleKeys(bundles: Readonly<Record<string, unknown>>): string[] {
  return listRuleKeys(bundles).filter((key) => key !== limitKey);
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most;
}

/** Returns the units of a part in one bundle. */
function readPartUnits(part: unknown): number | undefined {
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
