import { datedEntry, describeList, refer } from '#kernel/kit/entries/list.ts';
import {
  addStackingDefaults,
  findFieldConflicts,
  listCategoryPlaces,
  shownStackingRules,
  stackingRules,
  stackingRulesBody,
} from './stored.ts';

const key = 'stacking_rules';

const entry = datedEntry({
  ...stackingRulesBody.entries,
});

/** A list with at most one entry, like its reply. */
export const stackingRulesEntries = describeList(key, entry, {
  called: 'document of stacking rules',
  names: ['id'],
  prefix: 'stk_',
  shown: shownStackingRules,
  references: (one) => listCategoryPlaces(one).map(({ place, id }) => refer(place, 'categories', id, ['id'])),
  *rules({ id, created_at, updated_at, ...sent }) {
    for (const { field, message } of findFieldConflicts({ ...addStackingDefaults(sent) })) yield `${field} ${message}`;
  },
  *against(_, file) {
    if (file.all(key).length > 1) yield ' must be the only entry: a project has one document of stacking rules';
  },
  items: ({ id: _, created_at, updated_at, ...sent }, { id, projectId, now }) => [
    {
      key: stackingRules(projectId),
      item: { ...addStackingDefaults(sent), id, created_at: created_at ?? now, updated_at: updated_at ?? undefined },
      // A load changes the existing document.
      once: ['id', 'created_at', 'updated_at'],
      guards: ['version'],
      versioned: true,
    },
  ],
  nulls: [
    'applicable_redeemables_per_category_limit',
    'applicable_exclusive_redeemables_per_category_limit',
    'grouped_redeemables_sorting_rule',
  ],
  kinds: [stackingRules.kind],
});
