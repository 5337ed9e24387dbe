import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { asLocked, hasLock, locking, lockTaken, sumOfLocks, unlocked } from '../../../lib/holds/locks.ts';
import { type AskedSession, sessionOf } from '../../../lib/holds/session.ts';
import { retryOptimistically } from '../../../lib/table/conflicts.ts';
import { change, commit, insert } from '../../../lib/table/effects.ts';
import type { Attributes } from '../../../lib/table/item.ts';
import { kind } from '../../../lib/table/kind.ts';
import { read } from '../../../lib/table/read.ts';
import { Table } from '../../../lib/table/table.ts';
import { fileTable, newClient, testTime, uniqueId } from '../../support/dependencies.ts';

const now = testTime;
const session = (key: string, asked: AskedSession = {}) => sessionOf({ key, ...asked }, now);

describe('a session', () => {
  test.each<[AskedSession, string]>([
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
  ])('that is asked for by %j lasts until %s', (asked, until) => {
    expect(sessionOf(asked, now).until).toBe(until);
  });

  test('without a key has one that nobody guesses', () => {
    const keys = new Set(Array.from({ length: 100 }, () => sessionOf({}, now).key));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^ssn_[A-Za-z0-9]{32}$/);
    expect(sessionOf({}, now)).toMatchObject({ ttl: 7, ttl_unit: 'DAYS' });
  });
});

const cups = kind('CUP', v.looseObject({ used: v.number() }));

async function cupOf(fields: Attributes = {}) {
  const key = cups(uniqueId('proj_'), 'cup');
  const table = new Table(newClient(), fileTable(), now);
  await commit(table, [insert(key, { used: 0, ...fields })]);
  const stored = async () => {
    const { item } = await read(table, { item: key });
    if (!item) throw new Error('the cup is gone');
    return item;
  };
  /** As a validation does: while there is one left that no other session keeps. */
  const lock = async (sessionKey: string, limit = Number.POSITIVE_INFINITY, asked: AskedSession = {}, at = now) => {
    const item = await stored();
    const { quantity = 0 } = sumOfLocks(item, { except: sessionKey, now: at });
    if (item.used + quantity >= limit) return false;
    const taken = locking(
      { key, item, by: { quantity: 1 }, judgedBy: ['used'] },
      sessionOf({ key: sessionKey, ...asked }, at),
      at,
    );
    return (await commit(table, [taken])) || undefined;
  };
  return { key, table, stored, lock };
}

type Cup = Awaited<ReturnType<typeof cupOf>>;

/** As a redemption does. */
async function use({ key, table, stored }: Cup, limit: number, sessionKey?: string) {
  const item = await stored();
  const { quantity = 0 } = sumOfLocks(item, { except: sessionKey, now });
  if (item.used + quantity >= limit) return false;
  const used = change(key, (update) => unlocked(update, item, sessionKey).whenStill('used', item.used).add('used', 1));
  return (await commit(table, [used])) || undefined;
}

describe('a lock', () => {
  test('keeps what it is for from others, and not from its session', async () => {
    const cup = await cupOf();
    await cup.lock('a');
    await cup.lock('b');
    const item = await cup.stored();
    expect(sumOfLocks(item, { now })).toEqual({ quantity: 2 });
    expect(sumOfLocks(item, { except: 'a', now })).toEqual({ quantity: 1 });
    expect(item.used).toBe(0);
  });

  test('takes the place of the one that its session had', async () => {
    const { key, table, stored } = await cupOf();
    for (const credits of [30, 50]) {
      const item = await stored();
      expect(await commit(table, [locking({ key, item, by: { credits }, judgedBy: [] }, session('a'), now)])).toBe(
        true,
      );
    }
    expect(sumOfLocks(await stored(), { now })).toEqual({ credits: 50 });
  });

  test('is over at its time, and the next lock takes it off the item', async () => {
    const cup = await cupOf();
    await cup.lock('a', 1, { ttl: 1, ttl_unit: 'SECONDS' });
    const later = new Date(now.getTime() + 1_000);
    const item = await cup.stored();
    expect([hasLock(item, 'a', now), hasLock(item, 'a', later)]).toEqual([true, false]);
    expect(sumOfLocks(item, { now: later })).toEqual({});
    expect(await cup.lock('b', 1, {}, later)).toBe(true);
    expect(lockTaken(await cup.stored(), 'a')).toEqual({});
  });

  test('has a name for any key', async () => {
    const cup = await cupOf();
    const key = 'ø / #'.repeat(60);
    await cup.lock(key);
    expect(hasLock(await cup.stored(), key, now)).toBe(true);
    expect(hasLock(await cup.stored(), `${key}!`, now)).toBe(false);
  });

  test('is refused while the item is not as it was judged', async () => {
    const { key, table, stored, lock } = await cupOf();
    const item = await stored();
    await lock('other');
    const late = locking({ key, item, by: { quantity: 1 }, judgedBy: [] }, session('a'), now);
    expect(await commit(table, [late])).toBe(false);
    const again = await stored();
    await commit(table, [change(key, (update) => update.add('used', 1))]);
    const stale = locking({ key, item: again, by: { quantity: 1 }, judgedBy: ['used'] }, session('a'), now);
    expect(await commit(table, [stale])).toBe(false);
  });

  test('stands in the way of a write that was judged without it', async () => {
    const { key, table, stored, lock } = await cupOf();
    const item = await stored();
    await lock('a');
    expect(await commit(table, [change(key, (update) => asLocked(update, item).add('used', 1))])).toBe(false);
  });

  test('is taken by as many sessions as there are uses, of forty at once, and their uses are theirs', async () => {
    const cup = await cupOf();
    const keys = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const locked = await Promise.all(keys.map((key) => retryOptimistically(cup.table, () => cup.lock(key, 5))));
    const winners = keys.filter((_, index) => locked[index]);
    expect(winners).toHaveLength(5);
    expect(await retryOptimistically(cup.table, () => use(cup, 5))).toBe(false);
    const used = await Promise.all(keys.map((key) => retryOptimistically(cup.table, () => use(cup, 5, key))));
    expect(keys.filter((_, index) => used[index])).toEqual(winners);
    expect(await cup.stored()).toMatchObject({ used: 5 });
    expect(sumOfLocks(await cup.stored(), { now })).toEqual({});
  });

  test('is one of 300 at most', async () => {
    const until = '2026-07-01T00:00:00.000Z';
    const many = Array.from({ length: 300 }, (_, index) => [`lock s${index}`, { by: { quantity: 1 }, until }]);
    const cup = await cupOf(Object.fromEntries(many));
    await expect(cup.lock('one more')).rejects.toMatchObject({ key: 'too_many_requests' });
    expect(await cup.lock('s7')).toBe(true);
  });
});
