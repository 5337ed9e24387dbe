import type { Hold } from '#engine/holds/hold.ts';
import { type LockReader, lockItem, readTakenLock, removeLock, sumLocks } from '#engine/holds/locks.ts';
import { longestSession, type Session } from '#engine/holds/session.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyText, tableShape } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { RuleContext } from './context.ts';
import type { CounterUpdate } from './counter.ts';
import {
  type CountedCampaigns,
  type CountedSubject,
  type CounterItem,
  countEndedAround,
  counterKey,
  counters,
  isByPerson,
} from './counter.ts';
import type { Needs } from './needs.ts';

/** Moves counters. Only counters that a rule of a redeemable names move, so that others cost nothing. */

export interface RuleCount {
  readonly key: ItemKey;
  /** The rule that reads the counter. */
  readonly name: string;
  readonly by: number;
  /** Redemptions of many customers share the counter. It is held, outside the transaction. */
  readonly isShared: boolean;
  /** Counts how often all sessions around the counter were ended. */
  readonly endedAround: number;
}

/** A redemption can be rolled back for three months, and needs its counter then. */
const rollbackDays = 100;
const longestPeriodInDays = 31;
const dayInS = 24 * 60 * 60;

interface Of {
  readonly counted: CountedSubject;
  /** The names of counters that the redeemable needs. */
  readonly needs: readonly Pick<Needs, 'counters'>[];
  /** The context in which the rules were judged. */
  readonly context: RuleContext;
  /** Many customers redeem the redeemable itself. */
  readonly isShared: boolean;
  /** The campaigns, if sessions count. */
  readonly campaigns?: CountedCampaigns;
}

const none: CountedCampaigns = new Map();

/** Returns the counters that the redemption of one redeemable moves. */
export function listMovedCounters(
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
    const endedAround = countEndedAround(name, counted, campaigns);
    const isForMany = counter.per !== 'customer' && counter.per !== 'person' && (counter.of === 'campaign' || isShared);
    return { key, name, by, isShared: isForMany, endedAround };
  });
}

/** Merges the counters of a request's redeemables, each once. */
function summed(counts: readonly RuleCount[]): RuleCount[] {
  return [...Map.groupBy(counts, ({ key }) => keyText(key)).values()].flatMap((same) => {
    const [first] = same;
    const isShared = same.some((one) => one.isShared);
    return first ? [{ ...first, isShared, by: same.reduce((sum, { by }) => sum + by, 0) }] : [];
  });
}

/**
 * Lets a counter with a period expire after the period and the time for rollbacks. A counter of a person without a period stays from its
 * first redemption on.
 */
export function expireCounter<U extends CounterUpdate>(update: U, name: string, now: Date): U {
  if (counters.get(name)?.period === undefined) {
    return isByPerson(name) ? update.remove([tableShape.timeToLive]) : update;
  }
  const expiresAt = Math.floor(now.getTime() / 1_000) + (longestPeriodInDays + rollbackDays) * dayInS;
  return update.set([tableShape.timeToLive], expiresAt);
}

/** Returns the count for a session: redeemed uses, and those that other sessions lock. */
export function countSeen(item: Attributes | undefined, reader: LockReader): number {
  return Number(item?.count ?? 0) + (sumLocks(item, reader).count ?? 0);
}

type Stored = ReadonlyMap<string, CounterItem>;

/** The time of a redemption, and the key of the session whose locks it replaces. */
interface Moment {
  readonly now: Date;
  readonly sessionKey?: string | undefined;
}

/** Returns the holds on shared counters. The rules are judged again by the held items, which include this redemption. */
export function holdSharedCounts(counts: readonly RuleCount[], stored: Stored, { now, sessionKey }: Moment): Hold[] {
  return summed(counts).flatMap(({ key, name, by, isShared }) => {
    if (!isShared) return [];
    const read = stored.get(keyText(key));
    const takes = readTakenLock(read, sessionKey);
    return [{ key, by: { count: by }, takes, read, when: (update) => expireCounter(update, name, now) }];
  });
}

const asCounted = (update: CounterUpdate, count: number) =>
  count === 0 ? update.whenUnsetOr('count', 0) : update.whenStill('count', count);

/** Returns the effects on other counters. They require the counts by which the rules were judged. */
export function changeColdCounts(counts: readonly RuleCount[], stored: Stored, { now, sessionKey }: Moment): Effect[] {
  return summed(counts).flatMap(({ key, name, by, isShared }) => {
    if (isShared) return [];
    const item = stored.get(keyText(key));
    const counted = (update: CounterUpdate) => asCounted(removeLock(update, item, sessionKey), item?.count ?? 0);
    return change(key, (update) => expireCounter(counted(update), name, now).add('count', by));
  });
}

/** A counter of a person that has only locks expires after them, because an erasure finds counters by redemptions. */
function expireLocked<U extends CounterUpdate>(
  update: U,
  name: string,
  item: CounterItem | undefined,
  { until }: Session,
  now: Date,
): U {
  const isLasting = counters.get(name)?.period === undefined;
  if (!isByPerson(name) || !isLasting || (item?.count ?? 0) !== 0) return expireCounter(update, name, now);
  const ends = Math.max(Date.parse(until), now.getTime() + longestSession.server.inMs);
  return update.set([tableShape.timeToLive], Math.floor(ends / 1_000) + dayInS);
}

/** Returns the locks of a session on counters, so that no other customer can reach the limits with them. */
export function lockCounts(counts: readonly RuleCount[], stored: Stored, session: Session, now: Date): Effect[] {
  return summed(counts).flatMap(({ key, name, by, isShared, endedAround }) => {
    // A browser could block the counter for all customers.
    if (isShared && session.page !== undefined) return [];
    const item = stored.get(keyText(key));
    const lock = lockItem({ key, item, by: { count: by }, judgedBy: [] }, session, { now, endedAround });
    return [
      ...lock,
      change(key, (update) => expireLocked(asCounted(update, item?.count ?? 0), name, item, session, now)),
    ];
  });
}
