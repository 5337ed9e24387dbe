import * as v from 'valibot';
import { named } from '../../core/documented.ts';
import { dateTime, listOf, object } from '../../core/schema.ts';
import { parseStored } from '../../table/item.ts';
import { projectKind } from '../../table/kind.ts';
import { Versioned } from '../../table/versioned.ts';
import type { StackingRules } from '../engine/stacking-rules.ts';
import { stackingRulesFields } from '../engine/stacking-rules-fields.ts';

/** A project's own rules: one document. Without it, those of all projects hold (`defaultStackingRules`). */
export const storedStackingRules = object({
  id: v.string(),
  ...stackingRulesFields,
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  version: v.optional(v.string()),
});

export type StoredStackingRules = v.InferOutput<typeof storedStackingRules>;

/** Where the rules of a project stand. */
export const stackingRules = projectKind('STACKING_RULES', storedStackingRules);

const rulesAlone = object(stackingRulesFields);

/** What a checkout reads: only the version, where the container has the rules. */
export const stackingRulesByVersion = new Versioned((item): StackingRules => parseStored(rulesAlone, item), {
  keepsNothing: true,
});

/** As shown. Those that hold without a document have neither an id nor dates. */
export const shownStackingRules = named(
  'StackingRules',
  v.object({
    id: v.optional(v.string()),
    ...stackingRulesFields,
    created_at: v.optional(dateTime),
    updated_at: v.optional(v.nullable(dateTime)),
    object: v.literal('stacking_rules'),
  }),
);

export type ShownStackingRules = v.InferOutput<typeof shownStackingRules>;

export const stackingRulesList = named('StackingRulesList', listOf(shownStackingRules));
