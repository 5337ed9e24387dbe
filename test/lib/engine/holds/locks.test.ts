import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  hasLock,
  lockItem,
  readTakenLock,
  removeLock,
  requireSameLocks,
  sumLocks,
  unlockAll,
} from '#engine/holds/locks.ts';
import { makeSession, type SentSession } from '#engine/holds/session.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { fileTable, newClient, patienceOfCrowd, testTime, uniqueId } from '../../../support/dependencies.ts';

const now = testTime;
const session = (key: string, asked: SentSession = {}) => makeSession({ key, ...asked }, now);
const at = { now, endedAround: 0 };

describe('a session', () => {
  test.each<[SentSession, string]>([
    [{}, '2026-06-22T12:00:00.000Z'],
    [{ ttl: 2 }, '2026-06-17T12:00:00.000Z'],
    [{ ttl: 3, ttl_unit: 'HOURS' }, '2026-06-15T15:00:00.000Z'],
    [{ ttl: 90, ttl_unit: 'MINUTES' }, '2026-06-15T13:30:00.000Z'],
    [{ ttl: 5, ttl_unit: 'SECONDS' }, '2026-06-15T12:00:05.000Z'],
    [{ ttl: 5, ttl_unit: 'MILLISECONDS' }, '2026-06-15T12:00:00.005Z'],
    [{ ttl: 1_001, ttl_unit: 'MICROSECONDS' }, '2026-06-15T12:00:00.002Z'],
    [{ ttl: 1, ttl_unit: 'NANOSECONDS' }, '2026-06-15T12:00:00.001Z'],
    [{ ttl_unit: 'MINUTES' }, '2026-06-15T12:01:00.000Z'],
    [{ ttl: Number.MAX_SAFE_INTEGER }, '9999-12-31T23:59:59.999Z'],
  ])('lasts as long as it requests: %j until %s', (asked, until) => {
    expect(makeSession(asked, now).until).toBe(until);
  });

  test('without a key gets one that nobody can guess', () => {
    const keys = new Set(Array.from({ length: 100 }, () => makeSession({}, now).key));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^ssn_[A-Za-z0-9]{32}$/);
    expect(makeSession({}, now)).toMatchObject({ ttl: 7, ttl_unit: 'DAYS' });
  });

  test('of a browser lasts 15 minutes by default', () => {
    const minutes = { ttl: 15, ttl_unit: 'MINUTES', until: '2026-06-15T12:15:00.000Z' };
    expect(makeSession({}, now, 'a page')).toMatchObject(minutes);
    expect(makeSession({ ttl_unit: 'SECONDS' }, now, 'a page')).toMatchObject({ ttl: 1, ttl_unit: 'SECONDS' });
  });
});

const cups = kind('CUP', v.looseObject({ used: v.number() }));

async function cupOf(fields: Attributes = {}) {
  const key = cups(uniqueId('proj_'), 'cup');
  const table = new Table(newClient(), fileTable(), now, patienceOfCrowd);
  await commit(table, [insert(key, { used: 0, ...fields })]);
  const stored = async () => {
    const { item } = await read(table, { item: key });
    if (!item) throw new Error('the cup does not exist');
    return item;
  };
  /** Locks like a validation, while a use is left that no other session has locked. */
  const lock = async (sessionKey: string, limit = Number.POSITIVE_INFINITY, asked: SentSession = {}, time = now) => {
    const item = await stored();
    const { quantity = 0 } = sumLocks(item, { except: sessionKey, now: time, endedAround: 0 });
    if (item.used + quantity >= limit) return false;
    const taken = lockItem(
      { key, item, by: { quantity: 1 }, judgedBy: ['used'] },
      makeSession({ key: sessionKey, ...asked }, time),
      { now: time, endedAround: 0 },
    );
    return (await commit(table, taken)) || again;
  };
  return { key, table, stored, lock };
}

type Cup = Awaited<ReturnType<typeof cupOf>>;

/** Uses the item like a redemption. */
async function use({ key, table, stored }: Cup, limit: number, sessionKey?: string) {
  const item = await stored();
  const { quantity = 0 } = sumLocks(item, { except: sessionKey, ...at });
  if (item.used + quantity >= limit) return false;
  const used = change(key, (update) =>
    removeLock(update, item, sessionKey).whenStill('used', item.used).add('used', 1),
  );
  return (await commit(table, [used])) || again;
}

describe('a lock', () => {
  test('keeps its uses from others, and not from its own session', async () => {
    const cup = await cupOf();
    await cup.lock('a');
    await cup.lock('b');
    const item = await cup.stored();
    expect(sumLocks(item, at)).toEqual({ quantity: 2 });
    expect(sumLocks(item, { except: 'a', ...at })).toEqual({ quantity: 1 });
    expect(item.used).toBe(0);
  });

  test('replaces the earlier lock of its session', async () => {
    const { key, table, stored } = await cupOf();
    for (const credits of [30, 50]) {
      const item = await stored();
      expect(await commit(table, lockItem({ key, item, by: { credits }, judgedBy: [] }, session('a'), at))).toBe(true);
    }
    expect(sumLocks(await stored(), at)).toEqual({ credits: 50 });
  });

  test('expires at its time, and the next lock removes it from the item', async () => {
    const cup = await cupOf();
    await cup.lock('a', 1, { ttl: 1, ttl_unit: 'SECONDS' });
    const later = new Date(now.getTime() + 1_000);
    const item = await cup.stored();
    expect([hasLock(item, 'a', at), hasLock(item, 'a', { ...at, now: later })]).toEqual([true, false]);
    expect(sumLocks(item, { ...at, now: later })).toEqual({});
    expect(await cup.lock('b', 1, {}, later)).toBe(true);
    expect(readTakenLock(await cup.stored(), 'a')).toEqual({});
  });

  test('has a name for any key', async () => {
    const cup = await cupOf();
    const key = 'ø / #'.repeat(60);
    await cup.lock(key);
    expect(hasLock(await cup.stored(), key, at)).toBe(true);
    expect(hasLock(await cup.stored(), `${key}!`, at)).toBe(false);
  });

  test('is refused if the item has changed since it was checked', async () => {
    const { key, table, stored, lock } = await cupOf();
    const item = await stored();
    await lock('other');
    const late = lockItem({ key, item, by: { quantity: 1 }, judgedBy: [] }, session('a'), at);
    expect(await commit(table, late)).toBe(false);
    const changed = await stored();
    await commit(table, [change(key, (update) => update.add('used', 1))]);
    const stale = lockItem({ key, item: changed, by: { quantity: 1 }, judgedBy: ['used'] }, session('a'), at);
    expect(await commit(table, stale)).toBe(false);
  });

  test('makes a write fail that was checked before it', async () => {
    const { key, table, stored, lock } = await cupOf();
    const item = await stored();
    await lock('a');
    expect(await commit(table, [change(key, (update) => requireSameLocks(update, item).add('used', 1))])).toBe(false);
  });

  test('is taken by as many of forty sessions at once as there are uses, and its session keeps the uses', async () => {
    const cup = await cupOf();
    const keys = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const locked = await Promise.all(keys.map((key) => retryOptimistically(cup.table, () => cup.lock(key, 5))));
    const winners = keys.filter((_, index) => locked[index]);
    expect(winners).toHaveLength(5);
    expect(await retryOptimistically(cup.table, () => use(cup, 5))).toBe(false);
    const used = await Promise.all(keys.map((key) => retryOptimistically(cup.table, () => use(cup, 5, key))));
    expect(keys.filter((_, index) => used[index])).toEqual(winners);
    expect(await cup.stored()).toMatchObject({ used: 5 });
    expect(sumLocks(await cup.stored(), at)).toEqual({});
  });

  const locksOfPages = (count: number, page: (index: number) => string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `lock p${index}`,
        { by: { quantity: 1 }, until: '2026-06-15T12:10:00.000Z', page: page(index) },
      ]),
    );
  const lockFor = async (cup: Cup, key: string, page?: string) => {
    const item = await cup.stored();
    const taken = lockItem(
      { key: cup.key, item, by: { quantity: 2 }, judgedBy: [] },
      makeSession({ key }, now, page),
      at,
    );
    return taken.length === 0 ? 'unchanged' : commit(cup.table, taken);
  };

  test('of a browser is one of five that it has, until the first of them expires', async () => {
    const cup = await cupOf(locksOfPages(5, () => 'own'));
    await expect(lockFor(cup, 'one more', 'own')).rejects.toMatchObject({
      key: 'too_many_requests',
      details:
        'a page may hold at most 5 sessions of one resource, and the first of them ends at 2026-06-15T12:10:00.000Z',
      headers: { 'Retry-After': '600' },
    });
    expect(await lockFor(cup, 'p3', 'own')).toBe(true);
    expect(await lockFor(cup, 'another', 'other')).toBe(true);
    expect(await lockFor(cup, 'a server')).toBe(true);
  });

  test('of browsers is one of a hundred, and servers have room beside them', async () => {
    const cup = await cupOf(locksOfPages(100, (index) => `page ${index}`));
    await expect(lockFor(cup, 'one more', 'new')).rejects.toMatchObject({ key: 'too_many_requests' });
    expect(await lockFor(cup, 'a server')).toBe(true);
  });

  test("of a server's session stays unchanged if a browser names the session", async () => {
    const cup = await cupOf();
    await lockFor(cup, 'till-1');
    const before = await cup.stored();
    expect(await lockFor(cup, 'till-1', 'guessing')).toBe('unchanged');
    expect(await cup.stored()).toEqual(before);
  });

  test('leaves no data in or around the item once all sessions have ended, and later sessions leave none either', async () => {
    const cup = await cupOf();
    await cup.lock('a');
    const { key, table } = cup;
    const before = await cup.stored();
    expect(sumLocks(before, { now, endedAround: 1 })).toEqual({});
    expect(hasLock(before, 'a', { now, endedAround: 1 })).toBe(false);
    // The lock that a redemption took along, and that a rollback restores.
    await commit(table, [change(key, (update) => unlockAll(update, before))]);
    await commit(table, [change(key, (update) => update.setAll({ 'lock a': before['lock a'] }))]);
    expect(sumLocks(await cup.stored(), at)).toEqual({});
    expect(await cup.lock('b')).toBe(true);
    expect(sumLocks(await cup.stored(), at)).toEqual({ quantity: 1 });
    expect(await cup.stored()).not.toHaveProperty(['lock a']);
  });

  test('of a server is one of 300, however many locks browsers have', async () => {
    const until = '2026-07-01T00:00:00.000Z';
    const ofServers = Array.from({ length: 299 }, (_, index) => [`lock s${index}`, { by: { quantity: 1 }, until }]);
    const cup = await cupOf({ ...Object.fromEntries(ofServers), ...locksOfPages(100, (index) => `page ${index}`) });
    expect(await cup.lock('the last')).toBe(true);
    await expect(cup.lock('one more')).rejects.toMatchObject({ key: 'too_many_requests' });
  });

  test('is one of 300 at most', async () => {
    const until = '2026-07-01T00:00:00.000Z';
    const many = Array.from({ length: 300 }, (_, index) => [`lock s${index}`, { by: { quantity: 1 }, until }]);
    const cup = await cupOf(Object.fromEntries(many));
    await expect(cup.lock('one more')).rejects.toMatchObject({
      key: 'too_many_requests',
      details: '300 sessions lock it, and the first of them ends at 2026-07-01T00:00:00.000Z',
      headers: { 'Retry-After': '900' },
    });
    expect(await cup.lock('s7')).toBe(true);
  });
});
