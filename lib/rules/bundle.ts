import { bundleKeys, defaultBundles, unitsOfPart } from './bundle-check.ts';
import { referenceOf } from './conditions.ts';
import type { RuleLine } from './context.ts';
import { isNamed } from './lines.ts';
import { isRecord, type RuleDocument } from './shape.ts';

interface Reference {
  readonly id: string;
  readonly object: string;
}

interface Part {
  readonly units: number;
  readonly references: readonly Reference[];
}

/** Units of lines that bundles take; where there is none, those of the first and what lacks for it. */
export interface Bundles {
  /** Complete ones, at most `limit`. */
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
    const id = referenceOf(value);
    return id === undefined ? [] : [{ id, object: objectOf(value) }];
  });
  return { units: unitsOfPart(part) ?? Number.POSITIVE_INFINITY, references };
}

const isOfCollections = ({ references }: Part) => references.some(({ object }) => object === 'products_collection');

type Taken = Pick<Bundles, 'identified' | 'missing'>;

/** Takes the units of so many bundles, line by line; what is taken is not there for the next part. */
function take(parts: readonly Part[], lines: readonly RuleLine[], bundles: number): Taken {
  const left = lines.map(({ quantity }) => quantity);
  const identified: Bundles['identified'][number][] = [];
  const missing = parts.flatMap(({ units, references }) => {
    let wanted = units * bundles;
    for (const reference of references) {
      const ids = new Set([reference.id]);
      for (const [index, line] of lines.entries()) {
        const item_quantity = Math.min(wanted, left[index] ?? 0);
        if (item_quantity <= 0 || !isNamed(line, ids)) continue;
        identified.push({ ...reference, item_index: index, item_quantity });
        left[index] = (left[index] ?? 0) - item_quantity;
        wanted -= item_quantity;
      }
    }
    const [first] = references;
    return wanted > 0 && first ? [{ ...first, item_quantity: wanted }] : [];
  });
  return { identified, missing };
}

/**
 * Finds complete bundles in the lines. Parts of named products choose their units before those of collections, so that a
 * collection leaves them what only they can use.
 */
export function bundleFinder({ bundle_rules }: RuleDocument): ((lines: readonly RuleLine[]) => Bundles) | undefined {
  if (!bundle_rules) return undefined;
  const limit = typeof bundle_rules.limit === 'number' ? bundle_rules.limit : defaultBundles;
  const parts = bundleKeys(bundle_rules)
    .map((key) => partOf(bundle_rules[key]))
    .sort((one, other) => Number(isOfCollections(one)) - Number(isOfCollections(other)));
  return (lines) => {
    let found = { quantity: 0, ...take(parts, lines, 1) };
    // As many as can be found in halves: the products named may be thousands.
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
