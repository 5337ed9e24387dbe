import type { Checkout } from '../checkout/checkout.ts';
import { locking } from '../holds/locks.ts';
import type { Session } from '../holds/session.ts';
import { countersOf, lockedCounts } from '../rule-facts/counts.ts';
import type { Effect } from '../table/effects.ts';
import { vouchers } from '../vouchers/voucher.ts';
import type { Gathered } from './gather.ts';
import { kept } from './locked.ts';
import type { FoundRedeemable } from './redeemable-of.ts';
import { ruleContext } from './rule-refusal.ts';
import type { Target } from './targets.ts';

function lockOfVoucher(
  projectId: string,
  { voucher, stored }: Target,
  used: { credits: number; points: number },
  session: Session,
  now: Date,
): Effect[] {
  if (!voucher) return [];
  const { of, judgedBy } = kept[voucher.type];
  const uses = voucher.redemption_quantity === undefined || voucher.redemption_quantity === null ? 0 : 1;
  const amount = { ...used, quantity: uses }[of];
  if (amount === 0) return [];
  const key = vouchers(projectId, voucher.id);
  return [locking({ key, item: stored, by: { [of]: amount }, judgedBy }, session, now)];
}

/** Locks all that a checkout would use, only while it is as it was judged: all or nothing. */
export function locksOf(
  { request, counters }: Gathered,
  { considered }: Checkout<FoundRedeemable>,
  session: Session,
): Effect[] {
  const { projectId, now } = request;
  const used = considered.flatMap(({ redeemable, outcome }) =>
    outcome.status === 'APPLICABLE' ? [{ redeemable, effects: outcome.effects }] : [],
  );
  const counts = used.flatMap(({ redeemable: { judged }, effects }) => {
    const context = ruleContext(request, judged, effects, judged.counts);
    const needs = judged.rules.map(({ compiled }) => compiled.needs);
    return countersOf(projectId, { counted: judged.counted, needs, context, isShared: false }, now);
  });
  return [
    ...used.flatMap(({ redeemable: { target }, effects }) => lockOfVoucher(projectId, target, effects, session, now)),
    ...lockedCounts(counts, counters, session, now),
  ];
}
