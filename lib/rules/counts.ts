import type { Held } from '../http/holds/held.ts';
import { locking, lockTaken, type Reader, sumOfLocks, unlocked } from '../http/holds/locks.ts';
import type { Session } from '../http/holds/session.ts';
import { change, type Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { keyText, tableShape } from '../table/keys.ts';
import type { ItemKey } from '../table/kind.ts';
import type { Update } from '../table/update.ts';
import type { RuleContext } from './context.ts';
import { type Counted, type CountedCampaigns, type CounterItem, counterKey, endedAroundCounter } from './counter.ts';
import { counters } from './counters.ts';
import type { Needs } from './needs.ts';

/** How counters move: only those that a rule of what is redeemed names, so that nobody else pays for them. */

export interface RuleCount {
  readonly key: ItemKey;
  /** The rule that asks for it. */
  readonly name: string;
  readonly by: number;
  /** Whether redemptions of many customers meet on it: it is held, and is no part of the transaction. */
  readonly isShared: boolean;
  /** How often all sessions of what it belongs to were ended. */
  readonly endedAround: number;
}

/** A redemption can be rolled back for three months, and finds its counter. */
const rollbackDays = 100;
const longestPeriodInDays = 31;
const dayInS = 24 * 60 * 60;

interface Of {
  readonly counted: Counted;
  /** Of what is redeemed. */
  readonly needs: readonly Pick<Needs, 'counters'>[];
  /** As it was judged. */
  readonly context: RuleContext;
  /** Whether the redeemable itself is one that many redeem. */
  readonly isShared: boolean;
  /** Where sessions count. */
  readonly campaigns?: CountedCampaigns;
}

const none: CountedCampaigns = new Map();

/** The counters that the redemption of one redeemable moves. */
export function countersOf(
  projectId: string,
  { counted, needs, context, isShared, campaigns = none }: Of,
  now: Date,
): RuleCount[] {
  const names = new Set(needs.flatMap((one) => [...one.counters]));
  return [...names].flatMap((name) => {
    const counter = counters.get(name);
    const key = counterKey(projectId, name, counted, now);
    const by = counter?.grows(context) ?? 0;
    if (!counter || !key || by === 0) return [];
    const endedAround = endedAroundCounter(name, counted, campaigns);
    const isForMany = counter.per !== 'customer' && (counter.of === 'campaign' || isShared);
    return { key, name, by, isShared: isForMany, endedAround };
  });
}

/** Each counter once, where several redeemables of a request move it. */
function summed(counts: readonly RuleCount[]): RuleCount[] {
  return [...Map.groupBy(counts, ({ key }) => keyText(key)).values()].flatMap((same) => {
    const [first] = same;
    const isShared = same.some((one) => one.isShared);
    return first ? [{ ...first, isShared, by: same.reduce((sum, { by }) => sum + by, 0) }] : [];
  });
}

/** One that begins anew is of no use after its period and the time for rollbacks. */
export function expiring(update: Update, name: string, now: Date): Update {
  if (counters.get(name)?.period === undefined) return update;
  const expiresAt = Math.floor(now.getTime() / 1_000) + (longestPeriodInDays + rollbackDays) * dayInS;
  return update.set([tableShape.timeToLive], expiresAt);
}

/** What a counter says to a session: what was redeemed, and what other sessions keep. */
export function countSeen(item: Attributes | undefined, reader: Reader): number {
  return Number(item?.count ?? 0) + (sumOfLocks(item, reader).count ?? 0);
}

type Stored = ReadonlyMap<string, CounterItem>;

/** When a redemption happens, and by the key of which session, whose locks it takes the place of. */
interface Moment {
  readonly now: Date;
  readonly sessionKey?: string | undefined;
}

/** To be held. Rules are judged again by the items that the holds answer, whose counts have this redemption in them. */
export function sharedCounts(counts: readonly RuleCount[], stored: Stored, { now, sessionKey }: Moment): Held[] {
  return summed(counts).flatMap(({ key, name, by, isShared }) => {
    if (!isShared) return [];
    const read = stored.get(keyText(key));
    const takes = lockTaken(read, sessionKey);
    return [{ key, by: { count: by }, takes, read, when: (update: Update) => expiring(update, name, now) }];
  });
}

const asCounted = (update: Update, count: number) =>
  count === 0 ? update.whenUnsetOr('count', 0) : update.whenStill('count', count);

/** Of the transaction: only while each says what the rules were judged by. */
export function coldCounts(counts: readonly RuleCount[], stored: Stored, { now, sessionKey }: Moment): Effect[] {
  return summed(counts).flatMap(({ key, name, by, isShared }) => {
    if (isShared) return [];
    const item = stored.get(keyText(key));
    const counted = (update: Update) => asCounted(unlocked(update, item, sessionKey), item?.count ?? 0);
    return change(key, (update) => expiring(counted(update), name, now).add('count', by));
  });
}

/** What a session keeps of counters: nobody else can reach the limits by it. */
export function lockedCounts(counts: readonly RuleCount[], stored: Stored, session: Session, now: Date): Effect[] {
  return summed(counts).flatMap(({ key, name, by, isShared, endedAround }) => {
    // A page would keep it from everybody.
    if (isShared && session.page !== undefined) return [];
    const item = stored.get(keyText(key));
    const lock = locking({ key, item, by: { count: by }, judgedBy: [] }, session, { now, endedAround });
    return [...lock, change(key, (update) => expiring(asCounted(update, item?.count ?? 0), name, now))];
  });
}
