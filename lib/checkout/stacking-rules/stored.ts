import * as v from 'valibot';
import { named } from '../../core/documented.ts';
import { dateTime, listEnvelope, object } from '../../core/schema.ts';
import { parseStored } from '../../table/item.ts';
import { projectKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import { Versioned } from '../../table/versioned.ts';
import type { StackingRules } from '../engine/stacking-rules.ts';
import { stackingRulesFields } from '../engine/stacking-rules-fields.ts';

/** The document of a project's own rules. Without it the defaults apply (`defaultStackingRules`). */
export const storedStackingRules = object({
  id: v.string(),
  ...stackingRulesFields,
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  version: v.optional(v.string()),
});

export type StoredStackingRules = v.InferOutput<typeof storedStackingRules>;

/** Returns the key of a project's rules. */
export const stackingRules = projectKind(kinds.stackingRules, storedStackingRules);

const rulesAlone = object(stackingRulesFields);

/** Reads the rules for a checkout: only their version, if the container has them. */
export const stackingRulesByVersion = new Versioned((item): StackingRules => parseStored(rulesAlone, item), {
  keepsNothing: true,
});

/** Shows the rules. The defaults have neither an id nor dates. */
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

export const stackingRulesList = named('StackingRulesList', listEnvelope(shownStackingRules));
