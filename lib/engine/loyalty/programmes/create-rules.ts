import { tierOwners } from '#engine/campaigns/programme.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { turnActive } from '#engine/customers/segments/turn-active.ts';
import { classifyEvent, readSchemaId } from '#engine/ledger/earning-events.ts';
import { rulesOfObject } from '#engine/rules/assignment.ts';
import { assignEffects } from '#engine/vouchers/assignments/assign.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Writing } from '#kernel/http/context.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, change, check, commit, type Effect, insert } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { anyTier, type EarningRule, earningProgrammes, earningRules } from '../earning/earning-rule.ts';
import { presentEarningRule, type ShownEarningRule } from '../earning/public-rule.ts';
import { findEvent, readPropertyType } from '../events/event-schema.ts';
import { readGuard, requireGuard } from '../programme-guard.ts';
import { findProgrammeId } from './read-tiers.ts';
import { maxEarningRules, type NewRule, storeLoyalty } from './rule-body.ts';
import { checkRuleContext } from './rule-context.ts';

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function newItem(campaign_id: string, body: NewRule, now: Date): EarningRule {
  const {
    event,
    segment,
    custom_event,
    loyalty_tier,
    loyalty,
    validation_rule_id,
    source,
    active,
    client_events,
    ...rest
  } = body;
  const { pending_points, expiration_rules, metadata, ...validity } = rest;
  const kind = classifyEvent(event);
  const banner = source?.banner;
  return {
    ...present(validity),
    id: newTimedId('earning_rule', now),
    campaign_id,
    event,
    ...(kind === 'segment' && segment ? { segment } : {}),
    ...(kind === 'tier' && loyalty_tier ? { loyalty_tier } : {}),
    active: active ?? true,
    ...(client_events ? { client_events } : {}),
    loyalty: storeLoyalty(loyalty),
    ...(pending_points ? { pending_points: { days: pending_points.period_value } } : {}),
    ...(expiration_rules ? { expiration_rules } : {}),
    ...(banner ? { source: { banner } } : {}),
    metadata: metadata ?? {},
    created_at: now.toISOString(),
  };
}

/** Returns the faults between a rule and the event that it waits for. */
export async function findEventFaults(
  context: Writing,
  place: string,
  { event, loyalty }: EarningRule,
): Promise<string[]> {
  if (classifyEvent(event) !== 'custom') return [];
  const definition = await findEvent(context.table, context.project, event);
  if (!('metadata_key' in loyalty)) return [];
  const { metadata_key: key } = loyalty;
  const property = Object.hasOwn(definition, key) ? definition[key] : undefined;
  if (property && readPropertyType(property) === 'number') return [];
  return [`${place}loyalty.custom_event.metadata.property must be a number of the event, by its schema`];
}

/**
 * Checks the segments and tiers of rules: 404 if any is missing, 400 for a static segment. A passive segment becomes
 * active.
 */
async function subjectEffects(context: Writing, bodies: readonly NewRule[]): Promise<Effect[]> {
  const { table, project } = context;
  const idsOf = (kind: 'segment' | 'tier', id: (body: NewRule) => string | undefined) => [
    ...new Set(bodies.filter(({ event }) => classifyEvent(event) === kind).flatMap((body) => id(body) ?? [])),
  ];
  const segmentIds = idsOf('segment', (body) => body.segment?.id);
  const tierIds = idsOf('tier', (body) => body.loyalty_tier?.id).filter((id) => id !== anyTier);
  const found = await read(table, {
    segments: segmentIds.map((id) => segment.few(project.id, id)),
    tiers: tierIds.map((id) => tierOwners(project.id, id)),
  });
  const missingTier = tierIds.find((_, index) => !found.tiers[index]);
  if (missingTier !== undefined) throw notFound('loyalty_tier', missingTier);
  return segmentIds.flatMap((id, index) => {
    const known = found.segments[index];
    if (!known) throw notFound('segment', id);
    if (known.type === 'passive') return turnActive(context, known);
    if (known.type === 'auto-update') {
      const unknown = () => notFound('segment', id);
      return check(segment.few(project.id, id), (update) => update.whenThere(), unknown);
    }
    throw new ServiceError('invalid_payload', {
      details: `segment.id must name a segment with a filter, and ${id} is static: entering it is not an event`,
      resource: { id, type: 'segment' },
    });
  });
}

function checkSchemas(bodies: readonly NewRule[]): void {
  for (const { event, custom_event } of bodies) {
    const sent = custom_event?.schema_id;
    if (sent && classifyEvent(event) === 'custom' && sent !== readSchemaId(event)) throw notFound('event_schema', sent);
  }
}

function checkNumber(number: number): void {
  if (number <= maxEarningRules) return;
  throw new ServiceError('too_many_resources', {
    details: `a programme has at most ${maxEarningRules} earning rules, and would have ${number}`,
  });
}

/** Returns the effect that lets the event find the programme. */
function noteRewardingEvent(projectId: string, campaignId: string, event: string): Effect {
  const key = earningProgrammes(projectId, event, campaignId);
  return change(key, (update) => update.setAll({ campaign_id: campaignId, ...itemMarks(key) }));
}

function validationEffects(context: Writing, { id }: EarningRule, ruleId: string | null | undefined): Effect[] {
  if (!ruleId) return [];
  const key = rulesOfObject(context.project.id, 'earning_rule', id);
  const object = { type: 'earning_rule', id, key, assignments: [], isKept: false } as const;
  return assignEffects(context, ruleId, object, { force: true }).effects;
}

/** Creates all rules or none. 404 for a missing segment, tier or validation rule, 400 `event_not_defined` for an unknown custom event. */
export async function createEarningRules(
  context: Writing,
  idOrName: string,
  bodies: readonly NewRule[],
): Promise<ShownEarningRule[]> {
  const { table, project, now } = context;
  checkSchemas(bodies);
  for (const [index, { metadata }] of bodies.entries())
    checkBySchema(project.schemas('earning_rule'), metadata ?? {}, { place: `[${index}].metadata` });
  return retryOptimistically(table, async () => {
    const campaignId = await findProgrammeId(context, idOrName);
    const guard = await readGuard(context, campaignId);
    const known = await readChildren(table, earningRules, project.id, campaignId);
    checkNumber(known.length + bodies.length);
    const items = bodies.map((body) => newItem(campaignId, body, now));
    const faults = await Promise.all(items.map((item, index) => findEventFaults(context, `[${index}].`, item)));
    if (faults.flat().length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults.flat()) });
    await Promise.all(
      bodies.map(({ event, validation_rule_id }) => checkRuleContext(context, event, validation_rule_id)),
    );
    const effects = [
      ...requireGuard(project.id, campaignId, guard, idOrName),
      ...(await subjectEffects(context, bodies)),
      ...items.flatMap((item, index) => [
        insert(earningRules(project.id, campaignId, item.id), { ...item }),
        noteRewardingEvent(project.id, campaignId, item.event),
        ...validationEffects(context, item, bodies[index]?.validation_rule_id),
      ]),
    ];
    if (!canFitOneTransaction(effects)) {
      throw new ServiceError('invalid_payload', {
        details: 'the rules together are too large for one request: send fewer rules, or shorter rules',
      });
    }
    const shown = items.map((item, index) => presentEarningRule(item, bodies[index]?.validation_rule_id ?? undefined));
    new ReplyRoom('send fewer or shorter rules').take(shown);
    const done = await commit(table, effects).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make a rule');
    });
    return done ? shown : again;
  });
}
