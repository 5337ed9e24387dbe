import type { Held } from '#engine/holds/shared.ts';
import type { Counts } from '#engine/rules/context.ts';
import { countEndedAround, counterKey } from '#engine/rules/counter.ts';
import { countSeen, listMovedCounters, type RuleCount } from '#engine/rules/counts.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { Gathered } from '../request/gather.ts';
import { buildRuleContext } from '../request/rule-refusal.ts';
import { isShared } from '../request/targets.ts';
import type { Use } from './redeemable-use.ts';

/** Counts limits of rules, before and after they were held. */

/** Returns the counters that the redeemables' rules need, moved by these uses. */
export function listCounts(gathered: Gathered, uses: readonly Use[], customerId: string | undefined): RuleCount[] {
  const { request } = gathered;
  return uses.flatMap((use) => {
    const { judged } = use.one;
    const context = buildRuleContext(request, judged, use.outcome.effects, judged.counts);
    const counted = { ...judged.counted, customer: customerId };
    const needs = [{ counters: judged.names }];
    return listMovedCounters(
      request.projectId,
      { counted, needs, context, isShared: isShared(use.one.target) },
      request.now,
    );
  });
}

/**
 * Returns the counts before this redemption by the held items, including changes since the read. Returns nothing if they equal the counts
 * by which the rules were judged.
 */
export function readSeenCounts(gathered: Gathered, { limits }: Held): readonly Counts[] | undefined {
  const { request, redeemables, asked } = gathered;
  const held = new Map(limits.map((one) => [keyText(one.hold.key), one]));
  const except = asked.session?.key ?? undefined;
  const { campaigns } = gathered.terms;
  let differs = false;
  const counts = redeemables.map(({ judged }) => {
    const own: Record<string, number | undefined> = { ...judged.counts };
    for (const name of Object.keys(own)) {
      const key = counterKey(request.projectId, name, judged.counted, request.now);
      const found = key && held.get(keyText(key));
      if (!found) continue;
      const endedAround = countEndedAround(name, judged.counted, campaigns);
      const seen = countSeen(found.item, { except, now: request.now, endedAround }) - (found.hold.by.count ?? 0);
      differs ||= seen !== own[name];
      own[name] = seen;
    }
    return own;
  });
  return differs ? counts : undefined;
}
