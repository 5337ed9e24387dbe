import * as v from 'valibot';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { findSentFault } from '#engine/rules/formulas/formula.ts';
import {
  areInOrder,
  datesOutOfOrder,
  hasNoStart,
  timeframeNeedsStart,
  validityEntries,
} from '#engine/rules/validity/dates.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import {
  array,
  identifier,
  longText,
  nullable,
  object,
  reference,
  sentCount,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import { storedLoyalty } from '../earning/earning-rule.ts';
import { eventMeasure, measures } from '../earning/measure.ts';
import { sentPoints } from '../sent-points.ts';

/** Limits the rules of a request, which a single transaction creates with their validation rules. */
const maxAtOnce = 20;

/** Limits the rules of one programme. Each event and each paid order reads all. */
export const maxEarningRules = 100;

const longestPendingInDays = 90;
const outOfRange = `must be 1 to ${longestPendingInDays}`;
const pendingDays = shownAs(
  v.pipe(sentCount, v.minValue(1, outOfRange), v.maxValue(longestPendingInDays, outOfRange)),
  {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: longestPendingInDays },
      { type: 'string', pattern: '^\\d{1,15}$' },
    ],
  },
);

/** Points by a formula. A formula with a fault is refused, never ignored. */
const points_formula = nullable(
  v.pipe(
    longText,
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? findSentFault(dataset.value) : undefined;
      if (fault !== undefined) addIssue({ message: fault });
    }),
  ),
);

const every = { every: sentPoints, points: sentPoints, points_formula };

const sentLoyalty = v.variant('type', [
  object({ type: v.literal('FIXED'), points: sentPoints, points_formula }),
  v.variant('calculation_type', [...measures(every), eventMeasure(every)]),
]);

const changed = {
  validation_rule_id: nullable(reference),
  source: nullable(object({ banner: nullable(shortText) })),
  active: v.optional(v.boolean()),
  client_events: described(
    nullable(v.boolean()),
    'Custom events that pages send also earn by the rule. Their metadata counts as empty. Without it, they earn nothing.',
  ),
  ...validityEntries,
  pending_points: nullable(
    object({
      period_type: v.optional(v.picklist(['DAY']), 'DAY'),
      period_value: pendingDays,
    }),
  ),
  expiration_rules: nullable(pointsExpirationRules),
  metadata: nullable(sentMetadata),
};

const isRequired = (event: string) => `is required, for the event is ${event}`;

type SentLoyalty = v.InferOutput<typeof sentLoyalty>;

/** Checks that an event of the rule has the measured quantity. */
export function* findMeasureFaults(event: string, loyalty: SentLoyalty): Generator<string> {
  if (loyalty.type === 'FIXED') return;
  const { calculation_type: measured } = loyalty;
  const kind = classifyEvent(event);
  if (measured.startsWith('ORDER_') && kind !== 'order')
    yield 'must not measure an order, for the event is none of orders';
  if (measured === 'CUSTOM_EVENT_METADATA' && kind !== 'custom')
    yield 'must not measure a custom event, for the event is another';
}

const newRule = v.pipe(
  object({
    event: identifier,
    segment: nullable(object({ id: reference })),
    custom_event: nullable(object({ schema_id: nullable(reference) })),
    loyalty_tier: nullable(object({ id: reference })),
    loyalty: sentLoyalty,
    ...changed,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { event, segment, loyalty_tier, loyalty } = dataset.value;
    const fault = (key: string, message: string) =>
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: undefined }] });
    const kind = classifyEvent(event);
    if (kind === 'segment' && !segment) fault('segment', isRequired(event));
    if (kind === 'tier' && !loyalty_tier) fault('loyalty_tier', isRequired(event));
    for (const message of findMeasureFaults(event, loyalty)) fault('loyalty', message);
    if (!areInOrder(dataset.value)) fault('expiration_date', datesOutOfOrder);
    if (hasNoStart(dataset.value)) fault('validity_timeframe', timeframeNeedsStart);
  }),
);

export type NewRule = v.InferOutput<typeof newRule>;

export const createRulesBody = v.pipe(
  array(newRule, maxAtOnce, 'rules'),
  v.minLength(1, 'must have at least one rule'),
);

export const updateRuleBody = object({ loyalty: v.optional(sentLoyalty), ...changed });

export type UpdateRule = v.InferOutput<typeof updateRuleBody>;

/** Returns the stored form. */
export function storeLoyalty(loyalty: SentLoyalty): v.InferOutput<typeof storedLoyalty> {
  if (loyalty.type === 'PROPORTIONAL' && loyalty.calculation_type === 'CUSTOM_EVENT_METADATA') {
    const { property: metadata_key, ...every } = loyalty.custom_event.metadata;
    return { type: 'PROPORTIONAL', metadata_key, ...every };
  }
  return v.parse(storedLoyalty, loyalty);
}
