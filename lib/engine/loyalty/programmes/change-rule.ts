import { loyaltyTiers, readLoyaltyTiers } from '#engine/campaigns/programme.ts';
import { removeRuleAssignments, rulesOfObject } from '#engine/rules/assignment.ts';
import { dateNames, findUpdateDateFaults, hourNames } from '#engine/rules/validity/dates.ts';
import { assignEffects, unassignEffects } from '#engine/vouchers/assignments/assign.ts';
import { readRelated } from '#engine/vouchers/assignments/related-object.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, remove } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { readChildren } from '#kernel/table/read.ts';
import { type EarningRule, earningProgrammes, earningRules } from '../earning/earning-rule.ts';
import { presentEarningRule, type ShownEarningRule } from '../earning/public-rule.ts';
import { readGuard, requireGuard } from '../programme-guard.ts';
import { findEventFaults } from './create-rules.ts';
import { findEarningRule } from './read-rules.ts';
import { findProgrammeId } from './read-tiers.ts';
import { findMeasureFaults, storeLoyalty, type UpdateRule } from './rule-body.ts';
import { checkRuleContext } from './rule-context.ts';

/** Returns the rule with the sent changes. `null` clears. */
function nextItem({ project, now }: Writing, before: EarningRule, body: UpdateRule): EarningRule {
  const after = <T>(sent: T | null | undefined, stored: T | null | undefined): T | undefined =>
    sent === undefined ? (stored ?? undefined) : (sent ?? undefined);
  const pending = body.pending_points && { days: body.pending_points.period_value };
  const banner = body.source === undefined ? before.source : (body.source ?? {});
  const own = Object.fromEntries(
    [...dateNames, ...hourNames].map((name) => [name, after<unknown>(body[name], before[name])]),
  );
  return {
    ...before,
    ...own,
    ...(body.loyalty ? { loyalty: storeLoyalty(body.loyalty) } : {}),
    active: body.active ?? before.active,
    client_events: after(body.client_events, before.client_events) || undefined,
    pending_points: after(pending, before.pending_points),
    expiration_rules: after(body.expiration_rules, before.expiration_rules),
    source: banner?.banner ? { banner: banner.banner } : undefined,
    metadata: mergeMetadata(
      { place: 'metadata', schema: project.schemas('earning_rule') },
      before.metadata ?? {},
      body.metadata,
    ),
    updated_at: now.toISOString(),
    revision: (before.revision ?? 0) + 1,
  };
}

/** Writes the whole rule. Requires that it is unchanged since the read. */
function changing(projectId: string, before: EarningRule, after: EarningRule): Effect {
  const lost = Object.keys(before).map((name) => [name, undefined]);
  return change(earningRules(projectId, before.campaign_id, before.id), (update) =>
    update
      .whenThere()
      .whenStill('revision', before.revision)
      .replaceAll({ ...Object.fromEntries(lost), ...after }),
  );
}

/** Returns the rule's validation rule after the change, with the effects of its assignment. */
async function validating(context: Writing, { id, event }: EarningRule, sent: string | null | undefined) {
  const [object] = await readRelated(context, [{ type: 'earning_rule', id }]);
  const known = object?.assignments[0]?.rule_id;
  if (!object || sent === undefined || sent === known) return { ruleId: known, effects: [] };
  if (sent === null) {
    return { ruleId: undefined, effects: unassignEffects(context.project.id, object.assignments, object) };
  }
  await checkRuleContext(context, event, sent);
  return { ruleId: sent, effects: assignEffects(context, sent, object, { force: true }).effects };
}

/** Changes the sent fields. `null` clears. 404 if the programme has no such rule. The event never changes. */
export async function updateEarningRule(
  context: Writing,
  idOrName: string,
  ruleId: string,
  body: UpdateRule,
): Promise<ShownEarningRule> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const before = await findEarningRule(context, await findProgrammeId(context, idOrName), ruleId);
    const after = nextItem(context, before, body);
    const faults = [
      ...findUpdateDateFaults('rule', before, body),
      ...(body.loyalty ? [...findMeasureFaults(before.event, body.loyalty)].map((fault) => `loyalty ${fault}`) : []),
      ...(body.loyalty ? await findEventFaults(context, '', after) : []),
    ];
    if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
    const validation = await validating(context, before, body.validation_rule_id);
    const effects = [changing(project.id, before, after), ...validation.effects];
    const done = await commit(table, effects).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make the rule');
    });
    return done ? presentEarningRule(after, validation.ruleId) : again;
  });
}

/** Has no effect, even on `updated_at`, if the rule has that state already. */
export async function switchEarningRule(
  context: Writing,
  idOrName: string,
  ruleId: string,
  active: boolean,
): Promise<ShownEarningRule> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const before = await findEarningRule(context, await findProgrammeId(context, idOrName), ruleId);
    const [object] = await readRelated(context, [{ type: 'earning_rule', id: ruleId }]);
    const shown = (item: EarningRule) => presentEarningRule(item, object?.assignments[0]?.rule_id);
    if (before.active === active) return shown(before);
    const after = nextItem(context, before, { active });
    return (await commit(table, [changing(project.id, before, after)])) ? shown(after) : again;
  });
}

/**
 * Removes the rule with its assignment and its entries in tiers. Pending points and the ledger keep its id. 404 if the programme has no
 * such rule.
 */
export async function deleteEarningRule(context: Writing, idOrName: string, ruleId: string): Promise<void> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const campaignId = await findProgrammeId(context, idOrName);
    const guard = await readGuard(context, campaignId);
    const rule = await findEarningRule(context, campaignId, ruleId);
    const [rules, tiers, [object]] = await Promise.all([
      readChildren(table, earningRules, project.id, campaignId),
      readLoyaltyTiers(context, campaignId),
      readRelated(context, [{ type: 'earning_rule', id: ruleId }]),
    ]);
    const isLast = !rules.some(({ id, event }) => id !== ruleId && event === rule.event);
    const effects = [
      ...requireGuard(project.id, campaignId, guard, idOrName),
      remove(earningRules(project.id, campaignId, ruleId), (update) => update.whenStill('revision', rule.revision)),
      ...(isLast ? [remove(earningProgrammes(project.id, rule.event, campaignId), (update) => update)] : []),
      ...tiers
        .filter(({ earning_rules }) => Object.hasOwn(earning_rules, ruleId))
        .map(({ id }) =>
          change(loyaltyTiers(project.id, campaignId, id), (update) =>
            update.whenThere().remove(['earning_rules', ruleId]).set(['updated_at'], now.toISOString()),
          ),
        ),
      ...removeRuleAssignments(project.id, object?.assignments ?? []),
      ...(object?.isKept
        ? [
            remove(rulesOfObject(project.id, 'earning_rule', ruleId), (update) =>
              update.whenStill('validation_rules_assignments', object.assignments),
            ),
          ]
        : []),
    ];
    return (await commit(table, effects)) || again;
  });
}
