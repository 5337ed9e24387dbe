import * as v from 'valibot';
import { tierOwners } from '#engine/campaigns/programme.ts';
import { segment as segments } from '#engine/customers/segments/segment.ts';
import { classifyEvent, orderPaid } from '#engine/ledger/earning-events.ts';
import { assignmentKey, placeRuleAssignment, rulesOfObject } from '#engine/rules/assignment.ts';
import { findFormulaFault } from '#engine/rules/formulas/formula.ts';
import { findDateFaults, validityEntries } from '#engine/rules/validity/dates.ts';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { nullable, reference, sentMetadata, shortText } from '#kernel/core/schema.ts';
import { type ItemWrite, makePointer } from '#kernel/kit/entries/item-write.ts';
import { datedEntry, describeList, listAttributes, refer } from '#kernel/kit/entries/list.ts';
import type { EntryFields, Making } from '#kernel/kit/entries/traits.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { anyTier, earningProgrammes, earningRuleItem, earningRules, storedLoyalty } from '../earning/earning-rule.ts';
import { readFormula } from '../earning/measure.ts';
import { earningRule } from '../earning/public-rule.ts';

/** Refers to the event in the event schema, which has no automatic events. */
const toEvent = (event: string | undefined) =>
  event !== undefined && classifyEvent(event) === 'custom' ? refer('event', 'event_schema', event) : [];

/** Turns a reply's form into the stored form. The schema then finds faults. */
function asStored<S extends v.GenericSchema>(schema: S, shorten: (value: Record<string, unknown>) => unknown) {
  return v.pipe(
    v.unknown(),
    v.transform((value) => (v.is(v.record(v.string(), v.unknown()), value) ? shorten(value) : value)),
    schema,
  );
}

const shownMeasure = v.object({
  type: v.literal('PROPORTIONAL'),
  calculation_type: v.literal('CUSTOM_EVENT_METADATA'),
  custom_event: v.object({ metadata: v.looseObject({ property: v.unknown() }) }),
});

const { active, client_events, segment, loyalty_tier, pending_points, expiration_rules } = earningRuleItem.entries;

const ruleEntry = datedEntry({
  campaign_id: reference,
  event: reference,
  segment,
  loyalty_tier,
  active,
  client_events,
  loyalty: asStored(storedLoyalty, (sent) => {
    if (!v.is(shownMeasure, sent)) return sent;
    const { property, ...measure } = sent.custom_event.metadata;
    return { type: sent.type, metadata_key: property, ...measure };
  }),
  pending_points: v.optional(
    asStored(pending_points.wrapped, ({ days, period_value }) => ({ days: days ?? period_value })),
  ),
  ...validityEntries,
  expiration_rules,
  source: v.optional(v.object({ banner: v.optional(shortText) })),
  metadata: v.optional(sentMetadata),
  /** Assignments are also listed separately. */
  validation_rule_id: nullable(reference),
});

type Rule = v.InferOutput<typeof ruleEntry>;

/** Returns the assignment in a reply, unless the file contains an assignment for the rule. */
function assignmentOf({ validation_rule_id }: Rule, { id, projectId, file, firstLoadedAt }: Making): ItemWrite[] {
  const isOwn = ({ related_object_type: type, related_object_id }: EntryFields) =>
    type === 'earning_rule' && related_object_id === id;
  if (!validation_rule_id || file.all('validation_rules_assignments').some(isOwn)) return [];
  const assignment = {
    id: `asgm_of_${id}`,
    rule_id: validation_rule_id,
    related_object_id: id,
    related_object_type: 'earning_rule' as const,
    created_at: firstLoadedAt,
    object: 'validation_rules_assignment' as const,
  };
  return [
    { key: assignmentKey(projectId, assignment), item: placeRuleAssignment(projectId, assignment) },
    { key: rulesOfObject(projectId, 'earning_rule', id), item: { validation_rules_assignments: [assignment] } },
  ];
}

const waiting = v.pick(earningRuleItem, ['segment', 'loyalty_tier']);

/** Returns the keys of the segment and the tier that the rule waits for. */
function subjectsOf(item: Attributes, projectId: string): ItemKey[] {
  const { segment: entered, loyalty_tier: tier } = parseStored(waiting, item);
  return [
    ...(entered ? [segments.few(projectId, entered.id)] : []),
    ...(tier && tier.id !== anyTier ? [tierOwners(projectId, tier.id)] : []),
  ];
}

export const earningRuleEntries = describeList('earning_rules', ruleEntry, {
  called: 'earning rule',
  names: ['id'],
  prefix: 'ern_',
  shown: earningRule,
  fromReply({ source, ...reply }) {
    const campaign_id = isRecord(source) ? source.object_id : undefined;
    return { ...defined({ campaign_id, source }), ...reply };
  },
  references: (rule) => [
    refer('campaign_id', 'campaigns', rule.campaign_id),
    toEvent(rule.event),
    refer('segment.id', 'segments', rule.segment?.id),
    refer('loyalty_tier.id', 'loyalty_tiers', rule.loyalty_tier?.id === anyTier ? null : rule.loyalty_tier?.id),
    refer('validation_rule_id', 'validation_rules', rule.validation_rule_id),
  ],
  *rules(rule) {
    const { event, loyalty } = rule;
    const fault = findFormulaFault(readFormula(loyalty) ?? '0');
    if (fault !== undefined) yield `points_formula of loyalty ${fault}`;
    const ofOrder = 'calculation_type' in loyalty && loyalty.calculation_type !== 'CUSTOMER_METADATA';
    if (ofOrder && event !== orderPaid) yield `event must be ${orderPaid}, for the rule measures an order`;
    if ('metadata_key' in loyalty && classifyEvent(event) !== 'custom') {
      yield `loyalty must have a calculation_type, for ${event} has no metadata`;
    }
    yield* findDateFaults(rule);
  },
  *against({ event, loyalty }, file) {
    const definition = file.find('event_schema', event);
    if (!definition || !('metadata_key' in loyalty)) return;
    const asNumber = v.object({ [loyalty.metadata_key]: v.literal('number') });
    if (!v.is(asNumber, definition.metadata))
      yield 'loyalty.metadata_key must be a number of the event in event_schema';
  },
  items(rule, making) {
    const { id, projectId, now, idOf } = making;
    const campaign_id = idOf('campaigns', rule.campaign_id) ?? rule.campaign_id;
    const { validation_rule_id: _, ...attributes } = listAttributes(ruleEntry, rule);
    return [
      makePointer(earningProgrammes(projectId, rule.event, campaign_id), { campaign_id }),
      {
        key: earningRules(projectId, campaign_id, id),
        item: { ...attributes, id, campaign_id, created_at: rule.created_at ?? now },
        once: ['created_at', 'updated_at'],
      },
      ...assignmentOf(rule, making),
    ];
  },
  kinds: [kinds.earningRule],
  // A rule whose segment or tier was deleted stays, and earns nothing.
  needs: subjectsOf,
  entries(item, plain, { projectId, at }) {
    if (subjectsOf(item, projectId).every((key) => at(key))) return [plain];
    const { segment: _, loyalty_tier: __, ...kept } = plain;
    return [kept];
  },
});
