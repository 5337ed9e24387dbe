import { isRecord } from '#kernel/core/is-record.ts';
import { renameLocations } from '#kernel/kit/filters/compare.ts';
import type { Filter } from '#kernel/kit/filters/filter.ts';
import { listBundleKeys } from './bundle.ts';
import type { Discount } from './discounts/discount.ts';
import { ruleNames } from './names.ts';
import { type ApplicableEntry, listRuleKeys, type RuleDocument, readRuleName } from './shape.ts';

type Rename = (name: string) => string;

/** Renames what rules and discounts refer to. */
export interface References {
  /** Renames an id or source id of a product, a SKU or a collection. */
  readonly item: Rename;
  /** Renames the values of rules with these names, such as ids of segments. */
  readonly byRule: ReadonlyMap<string, Rename>;
  /** Renames the id of a location. */
  readonly location: Rename;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object in a rule or a discount that name a product, a SKU or a collection. */
const namingFields: readonly string[] = ['id', 'source_id', 'product_id', 'product_source_id'];

function mapFields(fields: Fields, by: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, by(value, name)]));
}

function renameText(value: unknown, rename: Rename): unknown {
  return typeof value === 'string' ? rename(value) : value;
}

function renameItem<T>(value: T, rename: Rename): T | unknown {
  if (!isRecord(value)) return renameText(value, rename);
  return mapFields(value, (part, name) => (namingFields.includes(name) ? renameText(part, rename) : part));
}

function renameValues(conditions: unknown, by: (value: unknown) => unknown): unknown {
  if (!isRecord(conditions)) return conditions;
  return mapFields(conditions, (values) => (Array.isArray(values) ? values.map(by) : by(values)));
}

function renameRule(rule: unknown, by: References): unknown {
  if (!isRecord(rule)) return rule;
  const name = readRuleName(rule);
  const ofRule = by.byRule.get(name);
  const renamed = (value: unknown) => {
    if (ofRule) return renameText(value, ofRule);
    return ruleNames.get(name)?.type === 'lines' ? renameItem(value, by.item) : value;
  };
  return mapFields(rule, (part, field) => {
    if (field === 'conditions') return renameLocations(renameValues(part, renamed), by.location);
    return field === 'rules' ? renameRules(part, by) : part;
  });
}

function renameRules(rules: unknown, by: References): unknown {
  if (!isRecord(rules)) return rules;
  const keys = listRuleKeys(rules);
  return mapFields(rules, (rule, key) => (keys.includes(key) ? renameRule(rule, by) : rule));
}

function renameBundles(bundles: Fields, { item }: References): Fields {
  const keys = listBundleKeys(bundles);
  return mapFields(bundles, (part, key) =>
    keys.includes(key) && isRecord(part)
      ? { ...part, conditions: renameValues(part.conditions, (value) => renameItem(value, item)) }
      : part,
  );
}

function renameEntry<E extends ApplicableEntry>(entry: E, { item }: References): E {
  // Only texts of the entry change, and they stay texts.
  return { ...entry, ...mapFields(Object.fromEntries(namedIn(entry)), (name) => renameText(name, item)) };
}

function namedIn(entry: object): [string, unknown][] {
  return Object.entries(entry).filter(([name]) => namingFields.includes(name));
}

/** Returns the document with other names of products, SKUs, collections, segments and locations. A `rename` that notes names finds them all. */
export function renameInRule<D extends RuleDocument>(document: D, by: References): D {
  const { rules, bundle_rules, applicable_to } = document;
  const entries = (all: readonly ApplicableEntry[] | null | undefined) =>
    (all ?? []).map((one) => renameEntry(one, by));
  return {
    ...document,
    ...(rules ? { rules: renameRules(rules, by) } : {}),
    ...(bundle_rules ? { bundle_rules: renameBundles(bundle_rules, by) } : {}),
    ...(applicable_to
      ? {
          applicable_to: {
            ...applicable_to,
            included: entries(applicable_to.included),
            excluded: entries(applicable_to.excluded),
          },
        }
      : {}),
  };
}

type Units = Pick<Extract<Discount, { type: 'UNIT' }>, 'unit_type' | 'product' | 'sku'>;

function renameUnits<U extends Units>(units: U, rename: Rename): U {
  const { unit_type, product, sku } = units;
  return {
    ...units,
    ...(unit_type === undefined ? {} : { unit_type: rename(unit_type) }),
    ...(product ? { product: renameItem(product, rename) } : {}),
    ...(sku ? { sku: renameItem(sku, rename) } : {}),
  };
}

/** Returns the discount with other names of the products and SKUs that it gives. */
export function renameInDiscount(discount: Discount, { item }: References): Discount {
  if (discount.type !== 'UNIT') return discount;
  const { units } = discount;
  return { ...renameUnits(discount, item), ...(units ? { units: units.map((one) => renameUnits(one, item)) } : {}) };
}

/** The fields of a collection's filter that name products. */
const idsOfMembers: readonly string[] = ['id', 'product_id'];

/** Returns the filter of a collection or a segment with other names of its products, SKUs and locations. */
export function renameInFilter(filter: Filter, { item, location }: References): Filter {
  const renamed = mapFields(filter, (part, name) => {
    if (!isRecord(part)) return part;
    const named = idsOfMembers.includes(name)
      ? renameValues(part.conditions, (value) => renameText(value, item))
      : part.conditions;
    return { ...part, conditions: renameLocations(named, location) };
  });
  return { ...filter, ...renamed };
}
