import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { escapePart } from '#kernel/table/keys.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Update } from '#kernel/table/update.ts';
import { readHolds } from './items/hold-item.ts';
import type { Session } from './session.ts';

/**
 * Locks uses, credits or points of an item for a session, until the session ends. Each lock is an attribute of the item (`lock <key>`), and
 * not part of its figures. A write that depends on locks requires that they are unchanged since the read.
 */

const storedLock = v.object({
  by: v.record(v.string(), v.number()),
  until: v.string(),
  /** The page that took the lock. */
  page: v.optional(v.string()),
  /** The number of endings around the lock when it was taken. */
  ended: v.optional(v.number(), 0),
});

type Lock = v.InferOutput<typeof storedLock>;

/** An item with its locks. */
export const lockedItem = v.looseObject({});

/** Increases with every lock that is taken or given up early. */
const revision = 'locks_revision';
const prefix = 'lock ';
/** Limits the locks of servers. A lock adds a tenth of a KB, and each write of an item costs a unit per KB. */
const maxLocks = 300;
/** Limits the locks of all browsers together. Each write of the item pays for them. */
const maxOfPages = 100;
/** Limits the locks of one browser, which is one key at one address. */
const maxOfPage = 5;
/** A longer wait is useless. The caller should find out what blocks the request. */
const longestWaitInS = 900;

/** This attribute counts how often an operator ended all sessions of an item, or of its parent. Older locks have no effect. */
const endings = 'sessions_ended';

export function countEndings(item: Attributes | undefined): number {
  return Number(item?.[endings] ?? 0);
}

/** Ends all sessions of the item and of its children, once: a late repetition must not end the sessions that began since. */
export function endAll<U extends Update>(update: U, item: Attributes | undefined): U {
  return update.whenThere().whenStill(endings, item?.[endings]).add(endings, 1);
}

/** Ends the sessions and removes the item's locks, if they are unchanged since the read. A repetition ends no later session. */
export function unlockAll<U extends Update>(update: U, item: Attributes | undefined): U {
  requireSameLocks(update, item);
  for (const [name] of locksOf(item)) update.remove([name]);
  return endAll(update, item).add(revision, 1);
}

/** The moment of a look at locks. */
export interface Moment {
  readonly now: Date;
  /** Counts how often all sessions of the item's parent were ended. */
  readonly endedAround: number;
}

/** The reader of locks. A session's own lock is not in its way. */
export interface LockReader extends Moment {
  readonly except?: string | undefined;
}

/** Returns the attribute of a lock. A digest replaces a long key of a caller. */
function lockName(sessionKey: string): string {
  return prefix + escapePart(sessionKey);
}

function locksOf(item: Attributes | undefined): [name: string, lock: Lock][] {
  const names = Object.keys(item ?? {}).filter((name) => name.startsWith(prefix));
  return names.map((name) => [name, v.parse(storedLock, item?.[name])]);
}

/** Returns the locks that are still in effect. */
function liveLocksOf(item: Attributes | undefined, { now, endedAround }: Moment): [name: string, lock: Lock][] {
  const moment = now.toISOString();
  const endedBefore = countEndings(item) + endedAround;
  return locksOf(item).filter(([, { until, ended }]) => until > moment && ended >= endedBefore);
}

/** Returns the live locks of other sessions than the reader's. */
function othersOf(item: Attributes | undefined, { except, ...moment }: LockReader): [name: string, lock: Lock][] {
  const own = except === undefined ? undefined : lockName(except);
  return liveLocksOf(item, moment).filter(([name]) => name !== own);
}

/** Returns whether the session has a lock on the item. */
export function hasLock(item: Attributes | undefined, sessionKey: string, moment: Moment): boolean {
  return liveLocksOf(item, moment).some(([name]) => name === lockName(sessionKey));
}

/** Returns whether a running redemption has taken the session's lock. */
export function isLockInUse(item: Attributes | undefined, sessionKey: string, now: Date): boolean {
  const name = lockName(sessionKey);
  const isLive = ({ until }: { readonly until: string }) => until >= now.toISOString();
  return [...readHolds(item).values()].some((hold) => isLive(hold) && hold.took !== undefined && name in hold.took);
}

/** Returns the amounts that other sessions lock at the moment, by name. */
export function sumLocks(item: Attributes | undefined, reader: LockReader): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [, { by }] of othersOf(item, reader)) {
    for (const [what, amount] of Object.entries(by)) sums[what] = (sums[what] ?? 0) + amount;
  }
  return sums;
}

/** Returns the end of the first lock, or `undefined` if other sessions lock nothing. */
export function findFirstLockEnd(item: Attributes | undefined, reader: LockReader): string | undefined {
  const ends = othersOf(item, reader).map(([, { until }]) => until);
  return ends.sort()[0];
}

/** Requires that no other session has taken or given up a lock since the read. */
export function requireSameLocks<U extends Update>(update: U, item: Attributes | undefined): U {
  return update.whenStill(revision, item?.[revision]);
}

/** Returns the session's lock, for a hold that replaces it (`Held.takes`). */
export function readTakenLock(item: Attributes | undefined, sessionKey: string | undefined): Attributes {
  const name = sessionKey === undefined ? undefined : lockName(sessionKey);
  return name !== undefined && item?.[name] !== undefined ? { [name]: item[name] } : {};
}

/** Removes the session's lock in the redemption that took the locked uses. Requires that other locks are unchanged. */
export function removeLock<U extends Update>(
  update: U,
  item: Attributes | undefined,
  sessionKey: string | undefined,
): U {
  const [name] = Object.keys(readTakenLock(item, sessionKey));
  requireSameLocks(update, item);
  return name === undefined ? update : update.remove([name]).add(revision, 1);
}

interface Locking {
  readonly key: ItemKey;
  /** The item that was read and found sufficient. */
  readonly item: Attributes | undefined;
  /** The new lock of the session, which replaces its earlier lock. */
  readonly by: Readonly<Record<string, number>>;
  /** Attributes on which the decision depends. */
  readonly judgedBy: readonly string[];
}

type Locks = readonly [name: string, lock: Lock][];

/** Returns the limits for one more lock. Locks of browsers do not reduce the room for servers. */
function boundsFor(page: string | undefined, others: Locks): { held: Locks; most: number; why: string }[] {
  const ofPages = others.filter(([, lock]) => lock.page !== undefined);
  if (page === undefined) {
    const ofServers = others.filter(([, lock]) => lock.page === undefined);
    return [{ held: ofServers, most: maxLocks, why: `${maxLocks} sessions lock it` }];
  }
  const own = ofPages.filter(([, lock]) => lock.page === page);
  return [
    { held: own, most: maxOfPage, why: `a page may hold at most ${maxOfPage} sessions of one resource` },
    { held: ofPages, most: maxOfPages, why: `pages hold ${maxOfPages} of its sessions` },
  ];
}

/** Throws 429 `too_many_requests` if the item has too many locks, with the end of the first. A session may end before. */
function checkRoom(others: Locks, { page }: Session, { now }: Moment): void {
  const full = boundsFor(page, others).find(({ held, most }) => held.length >= most);
  if (!full) return;
  const ends = full.held.map(([, { until }]) => until).sort()[0] ?? '';
  const waitInS = Math.ceil((Date.parse(ends) - now.getTime()) / 1_000);
  throw new ServiceError('too_many_requests', {
    details: `${full.why}, and the first of them ends at ${ends}`,
    headers: { 'Retry-After': String(Math.max(1, Math.min(waitInS, longestWaitInS))) },
  });
}

/**
 * Sets the lock if the item is unchanged since the read. Otherwise it is refused without an error: read again. Removes
 * expired locks. A browser cannot shorten the lock of a server's session, whose key it may guess.
 */
export function lockItem({ key, item, by, judgedBy }: Locking, session: Session, moment: Moment): Effect[] {
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
    requireSameLocks(update, item).add(revision, 1);
    for (const attribute of judgedBy) update.whenStill(attribute, item?.[attribute]);
    for (const [other] of over) update.remove([other]);
    const { page, until } = session;
    const ended = countEndings(item) + moment.endedAround;
    return update.set([name], { by: { ...by }, until, ...(page ? { page } : {}), ...(ended > 0 ? { ended } : {}) });
  });
  return [taken];
}

/** Gives up the lock that was read, before its end. A late repetition must not give up a lock that the session has taken since. */
export function unlock<U extends Update>(update: U, item: Attributes | undefined, sessionKey: string): U {
  const name = lockName(sessionKey);
  return update.whenHas(name).whenStill(name, item?.[name]).remove([name]).add(revision, 1);
}
