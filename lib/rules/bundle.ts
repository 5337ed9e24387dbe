import { isRecord } from '../core/is-record.ts';
import { assignUnits } from './assign-units.ts';
import { defaultBundles, listBundleKeys, readPartUnits } from './bundle-check.ts';
import { readReference } from './conditions.ts';
import type { RuleLine } from './context.ts';
import { isNamed } from './lines.ts';
import type { RuleDocument } from './shape.ts';

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

/** Finds complete bundles in the lines. If the units do not suffice for one, named products come before collections. */
export function compileBundles({ bundle_rules }: RuleDocument): ((lines: readonly RuleLine[]) => Bundles) | undefined {
  if (!bundle_rules || listBundleKeys(bundle_rules).length === 0) return undefined;
  const limit = typeof bundle_rules.limit === 'number' ? bundle_rules.limit : defaultBundles;
  const parts = listBundleKeys(bundle_rules)
    .map((key) => partOf(bundle_rules[key]))
    .sort((one, other) => Number(isOfCollections(one)) - Number(isOfCollections(other)));
  return (lines) => {
    let found = { quantity: 0, ...take(parts, lines, 1) };
    // The number is found by halves, because a rule can name thousands of products.
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
