import * as v from 'valibot';
import { type Key, kindsOf } from '../table/keys.ts';
import { type ItemKey, kind } from '../table/kind.ts';
import { type Counter, counters } from './counters.ts';

/** Where the counters behind the limits of rules stand, each an item of its own. */

interface Redeemed {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  /** Of a voucher: another one may have its code, and so its id, once it is deleted. */
  readonly created_at?: string | undefined;
  /** How often all of its sessions were ended. */
  readonly sessions_ended?: number | undefined;
}

/** Whose redemption it is, of what. Without a campaign, a customer or a user nothing is counted for them. */
export interface Counted {
  readonly redeemable: Redeemed;
  readonly campaign_id?: string | undefined;
  readonly customer?: string | undefined;
  readonly api_key?: string | undefined;
  readonly user?: string | undefined;
}

/** With the locks of sessions. */
const counterItem = v.looseObject({ count: v.optional(v.number(), 0) });

export type CounterItem = v.InferOutput<typeof counterItem>;

const ruleCounters = kind<typeof counterItem, [owner: string, counter: string, period: string, whose: string]>(
  'RULE_COUNTER',
  counterItem,
);

export function isCounter(key: Key): boolean {
  return kindsOf(key).kind === ruleCounters.kind;
}

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
  const { object, id, created_at } = redeemable;
  const ofRedeemable = [object, id, created_at].filter((part) => part !== undefined).join(' ');
  const owner = counter?.of === 'campaign' ? campaign_id && `campaign ${campaign_id}` : ofRedeemable;
  const whose = counter?.per ? counted[counter.per] : 'ALL';
  if (!counter || !owner || !whose) return undefined;
  return ruleCounters(projectId, owner, name, periodOf(counter, now), whose);
}

/** What is known of the campaigns by whose ids things are counted. */
export type CountedCampaigns = ReadonlyMap<string, { readonly sessions_ended?: number | undefined }>;

/** How often all sessions of what the counter belongs to were ended: those from before keep nothing of it. */
export function endedAroundCounter(
  name: string,
  { redeemable, campaign_id }: Counted,
  campaigns: CountedCampaigns,
): number {
  const ofCampaign = campaigns.get(campaign_id ?? '')?.sessions_ended ?? 0;
  return counters.get(name)?.of === 'campaign' ? ofCampaign : ofCampaign + (redeemable.sessions_ended ?? 0);
}
