import * as v from 'valibot';
import { readClock } from '../core/local-time.ts';
import { type Key, readKinds } from '../table/keys.ts';
import { type ItemKey, kind } from '../table/kind.ts';
import { kinds } from '../table/kind-names.ts';
import { type Counter, counters } from './counters.ts';

/** Builds the keys of the counters behind the limits of rules. Each counter is an item. */

interface Redeemed {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  /** The creation of a voucher. A later voucher can have the same code, and so the same id. */
  readonly created_at?: string | undefined;
  /** Counts how often all of its sessions were ended. */
  readonly sessions_ended?: number | undefined;
}

/** The subject of a redemption. Without a campaign, a customer or a user their counters do not count. */
export interface CountedSubject {
  readonly redeemable: Redeemed;
  readonly campaign_id?: string | undefined;
  readonly customer?: string | undefined;
  readonly api_key?: string | undefined;
  readonly user?: string | undefined;
}

/** A counter with the locks of sessions. */
const counterItem = v.looseObject({ count: v.optional(v.number(), 0) });

export type CounterItem = v.InferOutput<typeof counterItem>;

const ruleCounters = kind<typeof counterItem, [owner: string, counter: string, period: string, whose: string]>(
  kinds.ruleCounter,
  counterItem,
);

export function isCounter(key: Key): boolean {
  return readKinds(key).kind === ruleCounters.kind;
}

/** Returns the first day of the counter's period, in the zone of the time, or `ALL` without one. */
function periodOf({ period }: Counter, now: Date): string {
  const clock = readClock(now);
  const day = new Date(Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate()));
  if (period === 'weekly') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  if (period === 'monthly') day.setUTCDate(1);
  return period ? day.toISOString().slice(0, 10) : 'ALL';
}

/** Returns the counter's key, or `undefined` if the redemption has no subject for it. */
export function counterKey(
  projectId: string,
  name: string,
  counted: CountedSubject,
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

/** The known campaigns of counters. */
export type CountedCampaigns = ReadonlyMap<string, { readonly sessions_ended?: number | undefined }>;

/** Counts how often all sessions around the counter were ended. Older sessions have no effect. */
export function countEndedAround(
  name: string,
  { redeemable, campaign_id }: CountedSubject,
  campaigns: CountedCampaigns,
): number {
  const ofCampaign = campaigns.get(campaign_id ?? '')?.sessions_ended ?? 0;
  return counters.get(name)?.of === 'campaign' ? ofCampaign : ofCampaign + (redeemable.sessions_ended ?? 0);
}
