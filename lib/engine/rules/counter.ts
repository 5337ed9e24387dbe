import * as v from 'valibot';
import { countDaysOfWeek, readClock, weekday } from '#kernel/core/local-time.ts';
import { dateTime } from '#kernel/core/schema.ts';
import { escapePart, type Key, keyByPartitionName, partitionNameOf, readKinds } from '#kernel/table/keys.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Update } from '#kernel/table/update.ts';
import type { RuleContext } from './context.ts';

/** Records which limits a campaign or a code counts, and the progress of counting earlier redemptions. */

const countedName = v.object({
  /** Redemptions count by themselves from then on. */
  since: dateTime,
  /** BEGUN: earlier redemptions are being counted. WALKED: they are counted, except those under way at `since`. */
  state: v.picklist(['BEGUN', 'WALKED', 'DONE']),
  /** The place in the list of redemptions up to which they are counted. */
  at: v.optional(v.string()),
  /** The job that counts them, if they are too many for a request. */
  job: v.optional(v.string()),
  /** The first day of its weeks, if it counts by week and that day is not Monday. */
  week: v.optional(weekday),
});

export type CountedName = v.InferOutput<typeof countedName>;

/** The progress by the names of rules. */
export const countedNames = v.record(v.string(), countedName);

export type CountedNames = v.InferOutput<typeof countedNames>;

/** Builds the keys of the counters for the limits of rules. Each counter is an item. */

interface Redeemed {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  /** The creation of a voucher. A later voucher can have the same code, and so the same id. */
  readonly created_at?: string | undefined;
  /** Counts how often all of its sessions were ended. */
  readonly sessions_ended?: number | undefined;
}

/** The subject of a redemption. Without a campaign, a customer, a person or a user their counters do not count. */
export interface CountedSubject {
  readonly redeemable: Redeemed;
  readonly campaign_id?: string | undefined;
  readonly customer?: string | undefined;
  /** The keyed hash of the customer's person (`lib/kernel/core/person.ts`). */
  readonly person?: string | undefined;
  readonly api_key?: string | undefined;
  readonly user?: string | undefined;
}

/** A counter with the locks of sessions. */
const counterItem = v.looseObject({ count: v.optional(v.number(), 0) });

export type CounterItem = v.InferOutput<typeof counterItem>;

/** A change of a counter, whose locks count their changes. */
export type CounterUpdate = Update<v.InferInput<typeof counterItem> & { locks_revision?: number }>;

const ruleCounters = kind<typeof counterItem, [owner: string, counter: string, period: string, whose: string]>(
  kinds.ruleCounter,
  counterItem,
);

export function isCounter(key: Key): boolean {
  return readKinds(key).kind === ruleCounters.kind;
}

/** Returns the first day of the counter's period, in the zone of the time, or `ALL` without a period. */
function periodOf({ period }: Counter, now: Date): string {
  const clock = readClock(now);
  const day = new Date(Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate()));
  if (period === 'weekly') day.setUTCDate(day.getUTCDate() - countDaysOfWeek(now));
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

/**
 * Lists the counters of limits. They change in the transaction of a redemption, and rules see them with the attempted
 * redemption.
 */

type CounterPeriod = 'daily' | 'weekly' | 'monthly';

export interface Counter {
  /** The counter belongs to the campaign, or to the voucher or promotion tier alone. */
  readonly of: 'campaign' | 'redeemable';
  /** The counter is separate for each of these. */
  readonly per?: 'customer' | 'person' | 'api_key' | 'user';
  /** The counter restarts with each calendar day, week or month of the project. */
  readonly period?: CounterPeriod;
  /** Returns the amount that the redemption adds. */
  readonly grows: (context: RuleContext) => number;
}

const one = () => 1;

function withPeriods(name: string, counter: Counter): [string, Counter][] {
  const periods = ['daily', 'weekly', 'monthly'] as const;
  return periods.map((period) => [`${name}.${period}`, { ...counter, period }]);
}

/** Counters by the names of their rules. */
export const counters: ReadonlyMap<string, Counter> = new Map<string, Counter>([
  ['campaign.orders.amount', { of: 'campaign', grows: ({ order }) => order?.amount ?? 0 }],
  [
    'campaign.orders.amount_discounted',
    { of: 'campaign', grows: ({ redemption }) => redemption?.discount_amount ?? 0 },
  ],
  ['campaign.redemptions.count', { of: 'campaign', grows: one }],
  ...withPeriods('campaign.redemptions.count', { of: 'campaign', grows: one }),
  ['campaign.redemptions.customers_count', { of: 'campaign', per: 'customer', grows: one }],
  ...withPeriods('campaign.redemptions.customers_count', { of: 'campaign', per: 'customer', grows: one }),
  ['campaign.redemptions.count.per_person', { of: 'campaign', per: 'person', grows: one }],
  ...withPeriods('campaign.redemptions.count.per_person', { of: 'campaign', per: 'person', grows: one }),
  ['redemption.gift.amount', { of: 'campaign', grows: ({ redemption }) => redemption?.gift_credits ?? 0 }],
  ...withPeriods('redemption.count', { of: 'redeemable', grows: one }),
  ['redemption.count.per_customer', { of: 'redeemable', per: 'customer', grows: one }],
  ...withPeriods('redemption.count.per_customer', { of: 'redeemable', per: 'customer', grows: one }),
  ['redemption.count.per_person', { of: 'redeemable', per: 'person', grows: one }],
  ...withPeriods('redemption.count.per_person', { of: 'redeemable', per: 'person', grows: one }),
  ['redemption.count.per_api_key', { of: 'redeemable', per: 'api_key', grows: one }],
  ['redemption.count.per_user', { of: 'redeemable', per: 'user', grows: one }],
]);

/** Returns whether the limit counts by person. */
export function isByPerson(name: string): boolean {
  return counters.get(name)?.per === 'person';
}

/** Adds the attempted redemption to a count. Never throws: the sum of two safe integers is a number. */
export function compileCount(name: string, { grows }: Counter): (context: RuleContext) => number {
  return (context) => (context.counts?.[name] ?? 0) + grows(context);
}

/** Returns whether the key is of a counter of a person. Such a key has the keyed hash of the person. */
export function isCounterOfPerson(key: Key): boolean {
  const [, , , name = ''] = partitionNameOf(key).split('#');
  return isCounter(key) && isByPerson(name);
}

interface Whose {
  readonly from: string;
  readonly to: string;
  /** The keyed hash of the target's person. */
  readonly person: string | undefined;
}

/**
 * Returns the counter of another customer, or of that customer's person, for the same limit, or `undefined` if it is
 * the same counter.
 */
export function moveCounter(key: Key, { from, to, person }: Whose): { key: Key; name: string } | undefined {
  if (!isCounter(key)) return undefined;
  const parts = partitionNameOf(key).split('#');
  const [name = '', whose] = [parts[3], parts.at(-1)];
  const { per } = counters.get(name) ?? {};
  const next = per === 'customer' && whose === escapePart(from) ? to : per === 'person' ? person : undefined;
  if (next === undefined || escapePart(next) === whose) return undefined;
  const moved = [...parts.slice(0, -1), escapePart(next)].join('#');
  return { key: keyByPartitionName(ruleCounters.kind, moved), name };
}
