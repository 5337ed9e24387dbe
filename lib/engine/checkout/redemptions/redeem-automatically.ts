import * as v from 'valibot';
import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { computeBalance } from '#engine/ledger/card.ts';
import { isAutomaticAssignment } from '#engine/loyalty/auto-redeem.ts';
import { findReward, isChosen } from '#engine/loyalty/rewards/find-reward.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { again, isTransient, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyText, ownerKey } from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { readAsked } from '../request/checkout-body.ts';
import type { Redeeming } from './plan.ts';
import { redeem } from './redeem.ts';

/**
 * Redeems automatic rewards after points were credited. Each is a redemption like any other, with the card's current points. A repeated or
 * simultaneous run finds fewer points, so members never get more than they pay for.
 */

/** Limits the rewards of a run, and the runs of a day, as in the public interface. */
const maxRewardsOfRun = 25;
const maxRunsOfDay = 10;

/** Counts the runs of a member and a day (UTC). It is useless after that day, and expires. */
const runItem = v.object({ runs: v.number(), last: v.string(), expiresAt: v.number() });

const runs = kind<typeof runItem, [customerId: string, day: string]>(kinds.autoRedeemRuns, runItem);

const keptForInS = 3 * 86_400;

const marked = v.object({ dueAt: v.optional(v.string()), tier_round: v.optional(v.number(), 0) });

/** Counts the run once, however often it continues. Returns `false` if the day has no run left. */
async function mayRun({ table, project, now }: Reading, customerId: string, run: string): Promise<boolean> {
  const key = runs(project.id, customerId, formatDay(now));
  const { may } = await retryOptimistically(table, async () => {
    const { before } = await read(table, { before: key });
    if (before?.last === run) return { may: true };
    const count = (before?.runs ?? 0) + 1;
    if (count > maxRunsOfDay) return { may: false };
    const expiresAt = Math.floor(now.getTime() / 1000) + keptForInS;
    const counted = before
      ? change(key, (update) => update.whenStill('runs', before.runs).set(['runs'], count).set(['last'], run))
      : insert(key, { runs: count, last: run, expiresAt });
    return (await commit(table, [counted])) ? { may: true } : again;
  });
  return may;
}

/** Returns the assignment of the card's automatic reward, or nothing if the reward is unavailable or too expensive. */
async function affordable(context: Reading, card: VoucherItem, programme: Programme, rewardId: string) {
  const { now } = context;
  if (findVoucherRefusal(card, programme.campaign, now)) return undefined;
  const chosen = await findReward(context, card, programme, { id: rewardId });
  if (!isChosen(chosen) || !isAutomaticAssignment(chosen.assignment) || chosen.benefit.kind !== 'reward')
    return undefined;
  const price = chosen.benefit.reward.points;
  return price > 0 && price <= computeBalance(formatDay(now), card) ? chosen.assignment.id : undefined;
}

async function found(context: Reading, key: Key) {
  const card = await context.table.get(key, vouchers.schema);
  const programme = card?.campaign_id
    ? (await findProgrammes(context, [card.campaign_id])).get(card.campaign_id)
    : undefined;
  const rewardId = programme?.campaign.auto_redeem;
  if (!card?.holder_id || !programme || rewardId === undefined) return undefined;
  const assignmentId = await affordable(context, card, programme, rewardId);
  return assignmentId === undefined ? undefined : { card, rewardId, assignmentId, customerId: card.holder_id };
}

/**
 * Redeems the reward, and returns whether that succeeded. A refusal does not count as a failure, because the next
 * points try again.
 */
async function isRedeemed(context: Redeeming, code: string, reward: { id: string }): Promise<boolean> {
  const redeemables = [
    { object: 'voucher' as const, id: code, gift: undefined, reward: { ...reward, points: undefined } },
  ];
  const nobody = { customer: undefined, order: undefined, session: undefined, tracking_id: undefined };
  const asked = readAsked({ ...nobody, metadata: undefined, redeemables });
  return redeem(context, asked, () => undefined).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof ServiceError) || isTransient(error)) throw error;
      return false;
    },
  );
}

/** Redeems rewards for the points under the key, while they have a mark. */
export async function redeemAutomatically(context: Reading, key: Key): Promise<void> {
  const [entry]: (Attributes | undefined)[] = await context.table.getMany([key]);
  const { dueAt, tier_round: round } = parseStored(marked, entry ?? {});
  if (dueAt === undefined) return;
  for (let given = 0; given < maxRewardsOfRun; given++) {
    const next = await found(context, ownerKey(key));
    if (!next) return;
    const run = keyText(key);
    if (given === 0 && !(await mayRun(context, next.customerId, run))) return;
    const caller = { project: context.project, appId: next.assignmentId, appName: '', automatic: true } as const;
    const redeeming = { ...context, caller, baseUrl: '', requestId: run, round: round + 1 };
    const reward = { id: next.rewardId, assignment_id: next.assignmentId };
    if (!(await isRedeemed(redeeming, next.card.code, reward))) return;
  }
}
