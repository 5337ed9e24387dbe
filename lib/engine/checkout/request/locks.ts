import { type LockReader, lockItem } from '#engine/holds/locks.ts';
import type { Session } from '#engine/holds/session.ts';
import { listMovedCounters, lockCounts } from '#engine/rules/counts.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { FoundRedeemable } from './build-redeemable.ts';
import type { Gathered } from './gather.ts';
import { buildRuleContext } from './rule-refusal.ts';
import { isShared, lockedFigures, type Target } from './targets.ts';

function lockOfVoucher(
  projectId: string,
  { voucher, stored }: Target,
  used: { credits: number; points: number },
  session: Session,
  moment: LockReader,
): Effect[] {
  if (!voucher) return [];
  const { of, judgedBy } = lockedFigures[voucher.type];
  const uses = voucher.redemption_quantity === undefined || voucher.redemption_quantity === null ? 0 : 1;
  const amount = { ...used, quantity: uses }[of];
  if (amount === 0) return [];
  const key = vouchers(projectId, voucher.id);
  return lockItem({ key, item: stored, by: { [of]: amount }, judgedBy }, session, moment);
}

/** Locks everything that a checkout would use, if it is unchanged since the judgement, all or nothing. A page cannot lock shared items. */
export function lockUses(
  { request, counters, terms: { campaigns } }: Gathered,
  { considered }: Checkout<FoundRedeemable>,
  session: Session,
): Effect[] {
  const { projectId, now } = request;
  const used = considered.flatMap(({ redeemable, outcome }) =>
    outcome.status === 'APPLICABLE' ? [{ redeemable, effects: outcome.effects }] : [],
  );
  const counts = used.flatMap(({ redeemable: { target, judged }, effects }) => {
    const context = buildRuleContext(request, judged, effects, judged.counts);
    const needs = [{ counters: judged.names }];
    const of = { counted: judged.counted, needs, context, isShared: isShared(target), campaigns };
    return listMovedCounters(projectId, of, now);
  });
  const ofVouchers = used.flatMap(({ redeemable: { target, campaign }, effects }) => {
    if (session.page !== undefined && isShared(target)) return [];
    return lockOfVoucher(projectId, target, effects, session, { now, endedAround: campaign?.sessions_ended ?? 0 });
  });
  return [...ofVouchers, ...lockCounts(counts, counters, session, now)];
}
