import * as v from 'valibot';
import { areDistinct } from '#kernel/core/distinct.ts';
import { described, named } from '#kernel/core/documented.ts';
import { array, dateTime, listEnvelope, object, positiveInteger, record, reference } from '#kernel/core/schema.ts';
import { parseStored } from '#kernel/table/item.ts';
import { KeptItems } from '#kernel/table/kept.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { defaultStackingRules, type StackingRules } from '../engine/stacking-rules.ts';

/** Describes the fields of stacking rules, and the rules between them. */

/** Limits all lists together. They must fit into an item, and into the transaction that checks their categories. */
export const maxCategories = 80;

function upTo(most: number) {
  return v.pipe(positiveInteger, v.maxValue(most, `must be at most ${most}`));
}

const mostRedeemables = 30;
const mostExclusive = 5;
const mostOfCategory = 10;

const categories = v.pipe(
  array(reference, maxCategories, 'categories'),
  v.check(areDistinct, 'must not have a category twice'),
);

const ofCategories = v.pipe(
  record(upTo(mostOfCategory)),
  v.check((limits) => Object.keys(limits).length <= maxCategories, `must have at most ${maxCategories} categories`),
);

export const stackingRulesFields = {
  redeemables_limit: described(upTo(mostRedeemables), 'The maximum number of redeemables in a request.'),
  applicable_redeemables_limit: described(upTo(mostRedeemables), 'The maximum number of redeemables that are applied.'),
  applicable_redeemables_per_category_limit: described(
    v.nullable(upTo(mostRedeemables)),
    'The maximum number of applied redeemables of one category. It does not limit exclusive redeemables. `null` means no ' +
      'limit.',
  ),
  applicable_redeemables_category_limits: described(
    ofCategories,
    'The maximum numbers of applied redeemables of named categories. Each key is the id of a category.',
  ),
  applicable_exclusive_redeemables_limit: described(
    upTo(mostExclusive),
    'The maximum number of exclusive redeemables that are applied.',
  ),
  applicable_exclusive_redeemables_per_category_limit: described(
    v.nullable(upTo(mostExclusive)),
    'The maximum number of applied exclusive redeemables of one category. `null` means no limit.',
  ),
  exclusive_categories: described(
    categories,
    'Ids of exclusive categories. Their redeemables keep out redeemables whose category is neither exclusive nor ' +
      'joint.',
  ),
  joint_categories: described(categories, 'Ids of joint categories. Their redeemables combine with all others.'),
  redeemables_application_mode: described(
    v.picklist(['ALL', 'PARTIAL']),
    'ALL uses no redeemable if one cannot be used. PARTIAL leaves such a redeemable out.',
  ),
  redeemables_sorting_rule: described(
    v.picklist(['REQUESTED_ORDER', 'CATEGORY_HIERARCHY']),
    'Redeemables are applied in the order of the request, or by the hierarchy of their categories.',
  ),
  grouped_redeemables_sorting_rule: described(
    v.nullable(v.literal('JOINT_ALWAYS_LAST')),
    'JOINT_ALWAYS_LAST sorts joint after exclusive redeemables. `null` sorts both as one group.',
  ),
  redeemables_products_application_mode: described(
    v.picklist(['STACK', 'ONCE']),
    'Says whether several redeemables can discount the same line (STACK) or only one (ONCE).',
  ),
  redeemables_no_effect_rule: described(
    v.picklist(['REDEEM_ANYWAY', 'SKIP']),
    'Says whether a redeemable that gives no discount is redeemed or skipped.',
  ),
  no_effect_skip_categories: described(
    categories,
    'Ids of categories. Their redeemables without effect are skipped, whatever `redeemables_no_effect_rule` says.',
  ),
  no_effect_redeem_anyway_categories: described(
    categories,
    'Ids of categories. Their redeemables without effect are redeemed, whatever `redeemables_no_effect_rule` ' +
      'says.',
  ),
  discount_calculation_mode: described(
    v.picklist(['INITIAL_AMOUNT', 'DISCOUNTED_AMOUNT']),
    'Says whether a percentage refers to the initial amount, or to the amount after earlier discounts.',
  ),
  initial_amount_mode_categories: described(
    categories,
    'Ids of categories. Their percentages refer to the initial amount, whatever `discount_calculation_mode` says.',
  ),
  discounted_amount_mode_categories: described(
    categories,
    'Ids of categories. Their percentages refer to the amount after earlier discounts, whatever ' +
      '`discount_calculation_mode` says.',
  ),
  redeemables_rollback_order_mode: described(
    v.picklist(['WITH_ORDER', 'WITHOUT_ORDER']),
    'Says whether a rollback cancels the order (WITH_ORDER) or leaves it unchanged (WITHOUT_ORDER).',
  ),
};

export const payments_application = described(
  v.picklist(['REQUESTED', 'LAST']),
  'Says when gift cards and points pay: as requested (REQUESTED), or after all discounts (LAST).',
);

const sentFields = { ...stackingRulesFields, payments_application };
/** Documents that were stored earlier lack this field. */
const storedFields = {
  ...stackingRulesFields,
  payments_application: v.optional(payments_application, defaultStackingRules.payments_application),
};

/** Pairs of lists that must not share a category. */
const apart = [
  ['joint_categories', 'exclusive_categories'],
  ['no_effect_redeem_anyway_categories', 'no_effect_skip_categories'],
  ['discounted_amount_mode_categories', 'initial_amount_mode_categories'],
] as const;

type Given = Readonly<Record<string, unknown>>;

/** Refuses a too long list without a look at its entries. */
function idsIn(given: Given, field: string): unknown[] {
  const list = given[field];
  return Array.isArray(list) && list.length <= maxCategories ? list : [];
}

/** Returns each category with its place in the rules. */
export function listCategoryPlaces(given: Given): { place: string; id: string }[] {
  const inLists = apart
    .flat()
    .flatMap((field) => idsIn(given, field).map((id, index) => ({ place: `${field}[${index}]`, id })));
  const field = 'applicable_redeemables_category_limits';
  const limited = Object.keys(given[field] ?? {}).map((id) => ({ place: `${field}.${id}`, id }));
  return [...inLists, ...limited].flatMap(({ place, id }) => (typeof id === 'string' ? [{ place, id }] : []));
}

/** Returns the named categories, each once. */
export function listNamedCategories(given: Given): string[] {
  return [...new Set(listCategoryPlaces(given).map(({ id }) => id))];
}

/** Returns the faults between fields that are each valid. An absent field contradicts nothing. */
export function findFieldConflicts(given: Given): { field: string; message: string }[] {
  const { redeemables_limit: most, applicable_redeemables_limit: applied } = given;
  const isOver = typeof most === 'number' && typeof applied === 'number' && applied > most;
  const inBoth = apart.flatMap(([field, other]) => {
    const others = idsIn(given, other);
    const shared = idsIn(given, field).filter((id) => others.includes(id));
    return shared.length === 0 ? [] : [{ field, message: `must not have ${shared.join(', ')}, which ${other} has` }];
  });
  const count = listNamedCategories(given).length;
  return [
    ...(isOver ? [{ field: 'applicable_redeemables_limit', message: 'must be at most redeemables_limit' }] : []),
    ...inBoth,
    ...(count > maxCategories
      ? [
          {
            field: 'exclusive_categories',
            message: `and the other lists must have at most ${maxCategories} categories`,
          },
        ]
      : []),
  ];
}

/** Validates some or all of the fields. */
export const stackingRulesBody = v.pipe(
  object(v.partial(v.object(sentFields)).entries),
  v.rawCheck(({ dataset, addIssue }) => {
    const { value: input } = dataset;
    if (typeof input !== 'object' || input === null) return;
    const given: Given = { ...input };
    for (const { field: key, message } of findFieldConflicts(given)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: given, key, value: given[key] }] });
    }
  }),
);

export type StackingRulesBody = v.InferOutput<typeof stackingRulesBody>;

/** Merges sent fields into the rules. */
export function mergeStackingRules(rules: StackingRules, sent: StackingRulesBody): StackingRules {
  return { ...rules, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) };
}

/** Fills in defaults. The default limit of applied redeemables never exceeds the limit of named redeemables. */
export function addStackingDefaults(sent: StackingRulesBody): StackingRules {
  const { redeemables_limit = defaultStackingRules.redeemables_limit } = sent;
  const most = Math.min(redeemables_limit, defaultStackingRules.applicable_redeemables_limit);
  return mergeStackingRules({ ...defaultStackingRules, applicable_redeemables_limit: most }, sent);
}

/** The document of a project's own rules. Without it the defaults apply (`defaultStackingRules`). */
const storedStackingRules = object({
  id: v.string(),
  ...storedFields,
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  version: v.optional(v.string()),
});

export type StoredStackingRules = v.InferOutput<typeof storedStackingRules>;

/** Returns the key of a project's rules. */
export const stackingRules = projectKind(kinds.stackingRules, storedStackingRules);

const rulesAlone = object(storedFields);

/** Reads the rules for a checkout: only their version, if the container has them. */
export const stackingRulesByVersion = new KeptItems((item): StackingRules => parseStored(rulesAlone, item), {
  keepsNothing: true,
});

/** Shows the rules. The defaults have neither an id nor dates. */
export const shownStackingRules = named(
  'StackingRules',
  v.object({
    id: v.optional(v.string()),
    ...storedFields,
    created_at: v.optional(dateTime),
    updated_at: v.optional(v.nullable(dateTime)),
    object: v.literal('stacking_rules'),
  }),
);

export type ShownStackingRules = v.InferOutput<typeof shownStackingRules>;

export const stackingRulesList = named('StackingRulesList', listEnvelope(shownStackingRules));
