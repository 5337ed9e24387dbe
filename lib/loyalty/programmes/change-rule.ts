import { loyaltyTiers } from '../../campaigns/loyalty-tier.ts';
import { tiersOf } from '../../campaigns/programme.ts';
import { detailsOf, ServiceError } from '../../core/errors.ts';
import { mergeMetadata } from '../../core/merge-metadata.ts';
import type { Writing } from '../../http/context.ts';
import { rulesOfObject, unassigned } from '../../rules/assignment.ts';
import { dateFaults, dateNames } from '../../rules/validity/dates.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, type Effect, remove } from '../../table/effects.ts';
import { itemSizeTold } from '../../table/item-size.ts';
import { readChildren } from '../../table/read.ts';
import { assigning, unassigning } from '../../vouchers/assignments/assign.ts';
import { readRelated } from '../../vouchers/assignments/related-object.ts';
import { type EarningRule, earningProgrammes, earningRules } from '../earning/earning-rule.ts';
import { presentRule, type ShownRule } from '../earning/public-rule.ts';
import { guarded, readGuard } from '../programme-guard.ts';
import { eventFaults } from './create-rules.ts';
import { findRule } from './read-rules.ts';
import { programmeId } from './read-tiers.ts';
import { keptLoyalty, measureFaults, type UpdateRule } from './rule-body.ts';
import { checkRuleContext } from './rule-context.ts';

const hours = ['validity_day_of_week', 'validity_hours'] as const;

/** Returns the rule with the sent changes. `null` clears. */
function nextItem(before: EarningRule, body: UpdateRule, now: Date): EarningRule {
  const after = <T>(sent: T | null | undefined, stored: T | null | undefined): T | undefined =>
    sent === undefined ? (stored ?? undefined) : (sent ?? undefined);
  const pending = body.pending_points && { days: body.pending_points.period_value };
  const banner = body.source === undefined ? before.source : (body.source ?? {});
  const own = Object.fromEntries(
    [...dateNames, ...hours].map((name) => [name, after<unknown>(body[name], before[name])]),
  );
  return {
    ...before,
    ...own,
    ...(body.loyalty ? { loyalty: keptLoyalty(body.loyalty) } : {}),
    active: body.active ?? before.active,
    client_events: after(body.client_events, before.client_events) || undefined,
    pending_points: after(pending, before.pending_points),
    expiration_rules: after(body.expiration_rules, before.expiration_rules),
    source: banner?.banner ? { banner: banner.banner } : undefined,
    metadata: mergeMetadata('metadata', before.metadata ?? {}, body.metadata),
    updated_at: now.toISOString(),
    revision: (before.revision ?? 0) + 1,
  };
}

/** Writes the whole rule. Requires that it is unchanged since the read. */
function changing(projectId: string, before: EarningRule, after: EarningRule): Effect {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const values = new Map<string, unknown>(Object.entries(after));
  return change(earningRules(projectId, before.campaign_id, before.id), (update) => {
    update.whenThere().whenStill('revision', before.revision);
    for (const name of names) {
      const value = values.get(name);
      if (value === undefined || value === null) update.remove([name]);
      else update.set([name], value);
    }
    return update;
  });
}

/** Returns the rule's validation rule after the change, with the effects of its assignment. */
async function validating(context: Writing, { id, event }: EarningRule, sent: string | null | undefined) {
  const [object] = await readRelated(context, [{ type: 'earning_rule', id }]);
  const known = object?.assignments[0]?.rule_id;
  if (!object || sent === undefined || sent === known) return { ruleId: known, effects: [] };
  if (sent === null) {
    return { ruleId: undefined, effects: unassigning(context.project.id, object.assignments, object) };
  }
  await checkRuleContext(context, event, sent);
  return { ruleId: sent, effects: assigning(context, sent, object, { force: true }).effects };
}

/** Changes the sent fields. `null` clears. 404 if the programme has no such rule. The event never changes. */
export async function updateRule(
  context: Writing,
  idOrName: string,
  ruleId: string,
  body: UpdateRule,
): Promise<ShownRule> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const before = await findRule(context, await programmeId(context, idOrName), ruleId);
    const after = nextItem(before, body, now);
    const faults = [
      ...dateFaults('rule', before, body),
      ...(body.loyalty ? [...measureFaults(before.event, body.loyalty)].map((fault) => `loyalty ${fault}`) : []),
      ...(body.loyalty ? await eventFaults(context, '', after) : []),
    ];
    if (faults.length > 0) throw new ServiceError('invalid_payload', { details: detailsOf(faults) });
    const validation = await validating(context, before, body.validation_rule_id);
    const effects = [changing(project.id, before, after), ...validation.effects];
    const done = await commit(table, effects).catch((error: unknown) => {
      throw itemSizeTold(error, 'the body would make the rule');
    });
    return done ? presentRule(after, validation.ruleId) : again;
  });
}

/** Has no effect, even on `updated_at`, if the rule has that state already. */
export async function switchRule(
  context: Writing,
  idOrName: string,
  ruleId: string,
  active: boolean,
): Promise<ShownRule> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const before = await findRule(context, await programmeId(context, idOrName), ruleId);
    const [object] = await readRelated(context, [{ type: 'earning_rule', id: ruleId }]);
    const shown = (item: EarningRule) => presentRule(item, object?.assignments[0]?.rule_id);
    if (before.active === active) return shown(before);
    const after = nextItem(before, { active }, now);
    return (await commit(table, [changing(project.id, before, after)])) ? shown(after) : again;
  });
}

/**
 * Removes the rule with its assignment and its entries in tiers. Pending points and the ledger keep its id. 404 if the programme has no
 * such rule.
 */
export async function deleteRule(context: Writing, idOrName: string, ruleId: string): Promise<void> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const campaignId = await programmeId(context, idOrName);
    const guard = await readGuard(context, campaignId);
    const rule = await findRule(context, campaignId, ruleId);
    const [rules, tiers, [object]] = await Promise.all([
      readChildren(table, earningRules, project.id, campaignId),
      tiersOf(context, campaignId),
      readRelated(context, [{ type: 'earning_rule', id: ruleId }]),
    ]);
    const isLast = !rules.some(({ id, event }) => id !== ruleId && event === rule.event);
    const effects = [
      ...guarded(project.id, campaignId, guard, idOrName),
      remove(earningRules(project.id, campaignId, ruleId), (update) => update.whenStill('revision', rule.revision)),
      ...(isLast ? [remove(earningProgrammes(project.id, rule.event, campaignId), (update) => update)] : []),
      ...tiers
        .filter(({ earning_rules }) => Object.hasOwn(earning_rules, ruleId))
        .map(({ id }) =>
          change(loyaltyTiers(project.id, campaignId, id), (update) =>
            update.whenThere().remove(['earning_rules', ruleId]).set(['updated_at'], now.toISOString()),
          ),
        ),
      ...unassigned(project.id, object?.assignments ?? []),
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
