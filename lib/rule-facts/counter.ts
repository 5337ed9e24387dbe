import * as v from 'valibot';
import type { RuleContext } from '../rules/context.ts';
import { type Counter, counters } from '../rules/counters.ts';
import { change, type Effect } from '../table/effects.ts';
import { type ItemKey, kind } from '../table/kind.ts';

/** Where the counters behind the limits of rules stand, each an item of its own. */

/** Whose redemption it is, of what. Without a campaign, a customer or a user nothing is counted for them. */
export interface Counted {
  readonly redeemable: { readonly object: 'voucher' | 'promotion_tier'; readonly id: string };
  readonly campaign_id?: string | undefined;
  readonly customer?: string | undefined;
  readonly api_key?: string | undefined;
  readonly user?: string | undefined;
}

const counterItem = v.object({ count: v.optional(v.number(), 0) });

const ruleCounters = kind('RULE_COUNTER', counterItem);

/** The first day of a period, or `ALL` without one. */
function periodOf({ period }: Counter, now: Date): string {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  if (period === 'weekly') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  if (period === 'monthly') day.setUTCDate(1);
  return period ? day.toISOString().slice(0, 10) : 'ALL';
}

/** `undefined` where there is nobody to count for. */
export function counterKey(
  projectId: string,
  name: string,
  counted: Counted,
  now: Date,
): ItemKey<typeof counterItem> | undefined {
  const counter = counters.get(name);
  const { redeemable, campaign_id } = counted;
  const owner =
    counter?.of === 'campaign' ? campaign_id && `campaign ${campaign_id}` : `${redeemable.object} ${redeemable.id}`;
  const whose = counter?.per ? counted[counter.per] : 'ALL';
  if (!counter || !owner || !whose) return undefined;
  return ruleCounters(projectId, owner, name, periodOf(counter, now), whose);
}

/** Moves a counter by the redemption that it goes with, up, or down when that is rolled back. */
export function counting(key: ItemKey, name: string, context: RuleContext, sign: 1 | -1): Effect {
  const by = counters.get(name)?.grows(context) ?? 0;
  return change(key, (update) => update.add('count', sign * by));
}
