import * as v from 'valibot';
import { classifyEvent, readSchemaId } from '#engine/ledger/earning-events.ts';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { validityDates } from '#engine/rules/validity/validity.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count, dateTime, metadata } from '#kernel/core/schema.ts';
import type { EarningRule, storedLoyalty } from './earning-rule.ts';
import { eventMeasure, every, keptFormula, measures, showMeasuredScope } from './measure.ts';

/** Shows earning rules to callers. Stored rules are shorter. */

type Stored = v.InferOutput<typeof storedLoyalty>;

const shownLoyalty = v.variant('type', [
  v.object({ type: v.literal('FIXED'), points: count, points_formula: keptFormula }),
  v.variant('calculation_type', [...measures(every), eventMeasure(every)]),
]);

type Shown = v.InferOutput<typeof shownLoyalty>;

const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);
const subject = v.optional(v.object({ id: v.string() }));

export const earningRule = named(
  'EarningRule',
  v.object({
    id: v.string(),
    event: v.string(),
    segment: subject,
    custom_event: v.optional(v.object({ schema_id: v.string() })),
    loyalty_tier: subject,
    loyalty: shownLoyalty,
    validation_rule_id: orNull(v.string()),
    source: v.object({
      banner: v.optional(v.string()),
      object_id: v.string(),
      object_type: v.literal('campaign'),
    }),
    active: v.boolean(),
    client_events: described(v.optional(v.boolean()), 'Custom events that pages send also earn by the rule.'),
    ...validityDates,
    pending_points: v.optional(v.object({ period_type: v.literal('DAY'), period_value: count })),
    expiration_rules: v.optional(pointsExpirationRules),
    automation_id: v.string(),
    metadata,
    created_at: v.optional(dateTime),
    updated_at: orNull(dateTime),
    object: v.literal('earning_rule'),
  }),
);

export type ShownEarningRule = v.InferOutput<typeof earningRule>;

function showMeasure(loyalty: Stored): Shown {
  if (loyalty.type === 'FIXED') return loyalty;
  if (!('metadata_key' in loyalty)) return showMeasuredScope(loyalty);
  const { type: _, metadata_key: property, ...every } = loyalty;
  return {
    type: 'PROPORTIONAL',
    calculation_type: 'CUSTOM_EVENT_METADATA',
    custom_event: { metadata: { property, ...every } },
  };
}

/** Shows a rule. `ruleId` is its validation rule. */
export function presentEarningRule(item: EarningRule, ruleId: string | undefined): ShownEarningRule {
  const { campaign_id, pending_points, source, revision, loyalty, ...shown } = item;
  return {
    ...shown,
    loyalty: showMeasure(loyalty),
    ...(classifyEvent(item.event) === 'custom' ? { custom_event: { schema_id: readSchemaId(item.event) } } : {}),
    ...(pending_points ? { pending_points: { period_type: 'DAY', period_value: pending_points.days } } : {}),
    validation_rule_id: ruleId ?? null,
    source: { ...source, object_id: campaign_id, object_type: 'campaign' },
    automation_id: item.id.replace(/^(?:ern_)?/, 'auto_'),
    metadata: item.metadata ?? {},
    updated_at: item.updated_at ?? null,
    object: 'earning_rule',
  };
}
