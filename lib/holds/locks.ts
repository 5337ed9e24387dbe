import * as v from 'valibot';
import { tooCrowded } from '../table/conflicts.ts';
import { change, type Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { part } from '../table/keys.ts';
import type { ItemKey } from '../table/kind.ts';
import type { Update } from '../table/update.ts';
import { holdsOf } from './held.ts';
import type { Session } from './session.ts';

/**
 * What sessions keep of an item: uses, credits or points that others may not count on until the session is over. Each is an attribute of the
 * item (`lock <key>`), and none of its figures. A write that depends on them is made only while they are as they were read.
 */

const storedLock = v.object({ by: v.record(v.string(), v.number()), until: v.string() });

type Lock = v.InferOutput<typeof storedLock>;

/** An item with whatever is locked of it. */
export const lockedItem = v.looseObject({});

/** Goes up with every lock that is taken or given up before it is over. */
const revision = 'locks_revision';
const prefix = 'lock ';
/** A lock takes a tenth of a KB, and each write of an item costs a unit a KB. */
const maxLocks = 300;

/** A key is the caller's own, and may be long. */
export function lockName(sessionKey: string): string {
  return prefix + part(sessionKey);
}

function locksOf(item: Attributes | undefined): [name: string, lock: Lock][] {
  const names = Object.keys(item ?? {}).filter((name) => name.startsWith(prefix));
  return names.map((name) => [name, v.parse(storedLock, item?.[name])]);
}

const isLive = ({ until }: Lock, now: Date) => until > now.toISOString();

/** Whether the session keeps something of the item. */
export function hasLock(item: Attributes | undefined, sessionKey: string, now: Date): boolean {
  return locksOf(item).some(([name, lock]) => name === lockName(sessionKey) && isLive(lock, now));
}

/** Whether a redemption that is under way has taken the session's lock along. */
export function isLockInUse(item: Attributes | undefined, sessionKey: string, now: Date): boolean {
  const name = lockName(sessionKey);
  const isLive = ({ until }: { readonly until: string }) => until >= now.toISOString();
  return [...holdsOf(item).values()].some((hold) => isLive(hold) && hold.took !== undefined && name in hold.took);
}

/** What sessions keep of the item at the moment, by name; those of others than `except`. */
export function sumOfLocks(
  item: Attributes | undefined,
  { except, now }: { except?: string | undefined; now: Date },
): Readonly<Record<string, number>> {
  const own = except === undefined ? undefined : lockName(except);
  const sums: Record<string, number> = {};
  for (const [name, lock] of locksOf(item)) {
    if (name === own || !isLive(lock, now)) continue;
    for (const [what, amount] of Object.entries(lock.by)) sums[what] = (sums[what] ?? 0) + amount;
  }
  return sums;
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

/** Takes the lock, only while the item is as it was read, or is refused without an error: read again. Those that are over go. */
export function locking({ key, item, by, judgedBy }: Locking, session: Session, now: Date): Effect {
  const name = lockName(session.key);
  const others = locksOf(item).filter(([other]) => other !== name);
  const over = others.filter(([, lock]) => !isLive(lock, now));
  if (others.length - over.length >= maxLocks) throw tooCrowded();
  return change(key, (update) => {
    asLocked(update, item).add(revision, 1);
    for (const attribute of judgedBy) update.whenStill(attribute, item?.[attribute]);
    for (const [other] of over) update.remove([other]);
    const lock: Lock = { by: { ...by }, until: session.until };
    return update.set([name], lock);
  });
}

/** Gives up a lock before it is over. */
export function unlock(update: Update, sessionKey: string): Update {
  const name = lockName(sessionKey);
  return update.whenHas(name).remove([name]).add(revision, 1);
}
