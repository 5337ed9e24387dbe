import * as v from 'valibot';
import { ServiceError } from '../../core/errors.ts';
import { change, type Effect } from '../../table/effects.ts';
import type { Attributes } from '../../table/item.ts';
import { part } from '../../table/keys.ts';
import type { ItemKey } from '../../table/kind.ts';
import type { Update } from '../../table/update.ts';
import { holdsOf } from './held.ts';
import type { Session } from './session.ts';

/**
 * What sessions keep of an item: uses, credits or points that others may not count on until the session is over. Each is an attribute of the
 * item (`lock <key>`), and none of its figures. A write that depends on them is made only while they are as they were read.
 */

const storedLock = v.object({
  by: v.record(v.string(), v.number()),
  until: v.string(),
  /** The page that took it. */
  page: v.optional(v.string()),
  /** How often the sessions around it had been ended when it was taken. */
  ended: v.optional(v.number(), 0),
});

type Lock = v.InferOutput<typeof storedLock>;

/** An item with whatever is locked of it. */
export const lockedItem = v.looseObject({});

/** Goes up with every lock that is taken or given up before it is over. */
const revision = 'locks_revision';
const prefix = 'lock ';
/** A lock takes a tenth of a KB, and each write of an item costs a unit a KB. */
const maxLocks = 300;
/** All pages together, beside those of servers: each write of the item pays for them. */
const maxOfPages = 100;
/** A page is one key at one address. */
const maxOfPage = 5;
/** Whoever waits longer had better ask what stands in the way. */
const longestWaitInS = 900;

/** An item, and what contains it, count here how often an operator ended all sessions. Locks from before keep nothing. */
const endings = 'sessions_ended';

export function endingsOf(item: Attributes | undefined): number {
  return Number(item?.[endings] ?? 0);
}

/** Ends all sessions of the item, and of what belongs to it. */
export function endAll(update: Update): Update {
  return update.whenThere().add(endings, 1);
}

/** Takes the locks of the item away, too. */
export function unlockAll(update: Update, item: Attributes | undefined): Update {
  for (const [name] of locksOf(item)) update.remove([name]);
  return endAll(update).add(revision, 1);
}

/** The moment at which locks are looked at. */
export interface Moment {
  readonly now: Date;
  /** How often all sessions of what contains the item were ended. */
  readonly endedAround: number;
}

/** Who looks at locks: a session's own is not in its way. */
export interface Reader extends Moment {
  readonly except?: string | undefined;
}

/** A key is the caller's own, and may be long. */
export function lockName(sessionKey: string): string {
  return prefix + part(sessionKey);
}

function locksOf(item: Attributes | undefined): [name: string, lock: Lock][] {
  const names = Object.keys(item ?? {}).filter((name) => name.startsWith(prefix));
  return names.map((name) => [name, v.parse(storedLock, item?.[name])]);
}

/** Those that still keep something. */
function liveLocksOf(item: Attributes | undefined, { now, endedAround }: Moment): [name: string, lock: Lock][] {
  const moment = now.toISOString();
  const endedBefore = endingsOf(item) + endedAround;
  return locksOf(item).filter(([, { until, ended }]) => until > moment && ended >= endedBefore);
}

/** Live locks of other sessions than the reader's. */
function othersOf(item: Attributes | undefined, { except, ...moment }: Reader): [name: string, lock: Lock][] {
  const own = except === undefined ? undefined : lockName(except);
  return liveLocksOf(item, moment).filter(([name]) => name !== own);
}

/** Whether the session keeps something of the item. */
export function hasLock(item: Attributes | undefined, sessionKey: string, moment: Moment): boolean {
  return liveLocksOf(item, moment).some(([name]) => name === lockName(sessionKey));
}

/** Whether a redemption that is under way has taken the session's lock along. */
export function isLockInUse(item: Attributes | undefined, sessionKey: string, now: Date): boolean {
  const name = lockName(sessionKey);
  const isLive = ({ until }: { readonly until: string }) => until >= now.toISOString();
  return [...holdsOf(item).values()].some((hold) => isLive(hold) && hold.took !== undefined && name in hold.took);
}

/** What sessions keep of the item at the moment, by name; those of others than the reader's. */
export function sumOfLocks(item: Attributes | undefined, reader: Reader): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [, { by }] of othersOf(item, reader)) {
    for (const [what, amount] of Object.entries(by)) sums[what] = (sums[what] ?? 0) + amount;
  }
  return sums;
}

/** When the first of them is over; `undefined` where other sessions keep nothing. */
export function firstLockEnds(item: Attributes | undefined, reader: Reader): string | undefined {
  const ends = othersOf(item, reader).map(([, { until }]) => until);
  return ends.sort()[0];
}

/** Only while no other session has taken or given up a lock since the item was read. */
export function asLocked(update: Update, item: Attributes | undefined): Update {
  return update.whenStill(revision, item?.[revision]);
}

/** The session's lock, for a hold that takes its place (`Held.takes`). */
export function lockTaken(item: Attributes | undefined, sessionKey: string | undefined): Attributes {
  const name = sessionKey === undefined ? undefined : lockName(sessionKey);
  return name !== undefined && item?.[name] !== undefined ? { [name]: item[name] } : {};
}

/** The session's lock is over; others are as they were read. Goes with a redemption that took what was locked. */
export function unlocked(update: Update, item: Attributes | undefined, sessionKey: string | undefined): Update {
  const [name] = Object.keys(lockTaken(item, sessionKey));
  asLocked(update, item);
  return name === undefined ? update : update.remove([name]).add(revision, 1);
}

interface Locking {
  readonly key: ItemKey;
  /** As it was read, when it was found to be enough. */
  readonly item: Attributes | undefined;
  /** What the session keeps, in place of what it had kept of the item. */
  readonly by: Readonly<Record<string, number>>;
  /** Attributes that were looked at to find that there is enough. */
  readonly judgedBy: readonly string[];
}

type Locks = readonly [name: string, lock: Lock][];

/** How many sessions may lock an item, by who asks for one more. What pages hold takes nothing of the room that servers have. */
function boundsFor(page: string | undefined, others: Locks): { held: Locks; most: number; why: string }[] {
  const ofPages = others.filter(([, lock]) => lock.page !== undefined);
  if (page === undefined) {
    const ofServers = others.filter(([, lock]) => lock.page === undefined);
    return [{ held: ofServers, most: maxLocks, why: `${maxLocks} sessions lock it` }];
  }
  const own = ofPages.filter(([, lock]) => lock.page === page);
  return [
    { held: own, most: maxOfPage, why: `a page may hold at most ${maxOfPage} sessions of one thing` },
    { held: ofPages, most: maxOfPages, why: `pages hold ${maxOfPages} sessions of it` },
  ];
}

/** 429 `too_many_requests`, with when the first lock in the way is over. A session may end before. */
function checkRoom(others: Locks, { page }: Session, { now }: Moment): void {
  const full = boundsFor(page, others).find(({ held, most }) => held.length >= most);
  if (!full) return;
  const ends = full.held.map(([, { until }]) => until).sort()[0] ?? '';
  const waitInS = Math.ceil((Date.parse(ends) - now.getTime()) / 1_000);
  throw new ServiceError('too_many_requests', {
    details: `${full.why}, and the first of these is over at ${ends}`,
    headers: { 'Retry-After': String(Math.max(1, Math.min(waitInS, longestWaitInS))) },
  });
}

/**
 * Takes the lock, only while the item is as it was read, or is refused without an error: read again. Those that are over go. A page leaves
 * the lock of a server's session as it is: whoever guesses a session's key can't shorten it.
 */
export function locking({ key, item, by, judgedBy }: Locking, session: Session, moment: Moment): Effect[] {
  const name = lockName(session.key);
  const live = new Map(liveLocksOf(item, moment));
  const own = live.get(name);
  if (own && own.page === undefined && session.page !== undefined) return [];
  checkRoom(
    [...live].filter(([other]) => other !== name),
    session,
    moment,
  );
  const over = locksOf(item).filter(([other]) => other !== name && !live.has(other));
  const taken = change(key, (update) => {
    asLocked(update, item).add(revision, 1);
    for (const attribute of judgedBy) update.whenStill(attribute, item?.[attribute]);
    for (const [other] of over) update.remove([other]);
    const { page, until } = session;
    const ended = endingsOf(item) + moment.endedAround;
    return update.set([name], { by: { ...by }, until, ...(page ? { page } : {}), ...(ended > 0 ? { ended } : {}) });
  });
  return [taken];
}

/** Gives up a lock before it is over. */
export function unlock(update: Update, sessionKey: string): Update {
  const name = lockName(sessionKey);
  return update.whenHas(name).remove([name]).add(revision, 1);
}
