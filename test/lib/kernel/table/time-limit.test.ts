import { once } from 'node:events';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { rewards } from '#engine/loyalty/reward.ts';
import { limitRequestTime, TimeLimit } from '#kernel/table/capacity.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const amplyInMs = 60_000;
const anything = v.record(v.string(), v.unknown());

function tableWithin(limit: TimeLimit) {
  const { dynamodb, tableName } = testDependencies();
  return new Table(dynamodb, tableName, testTime, { limit });
}

async function ended(limit: TimeLimit): Promise<TimeLimit> {
  if (!limit.signal.aborted) await once(limit.signal, 'abort');
  return limit;
}

describe('when the time for the calls of the table is over', () => {
  const key = rewards(uniqueId('proj_'), 'r');

  test('no call begins, and no loop waits any longer', async () => {
    const table = tableWithin(await ended(new TimeLimit(0)));
    await expect(table.get(key, anything)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(table.insert(key, {})).rejects.toMatchObject({ name: 'AbortError' });
    await expect(table.transact([{ key, insert: {} }])).rejects.toMatchObject({ name: 'AbortError' });
    expect(table.patienceInMs).toBe(0);
    let attempts = 0;
    const answer = retryOptimistically(table, async () => {
      attempts += 1;
      return again;
    });
    await expect(answer).rejects.toMatchObject({ key: 'too_many_requests' });
    expect(attempts).toBe(1);
    expect(await tableWithin(new TimeLimit(amplyInMs)).get(key, anything)).toBeUndefined();
  });

  test('the reserved time is available for a report', async () => {
    const limit = await ended(new TimeLimit(0, amplyInMs));
    const table = tableWithin(limit);
    table.openReserve();
    expect(await table.insert(key, {})).toBe(true);
    expect(limit.leftInMs).toBeGreaterThan(0);
    expect(limit.leftInMs).toBeLessThanOrEqual(amplyInMs);
    // The fault happens once.
    table.openReserve();
    expect(limit.leftInMs).toBeLessThanOrEqual(amplyInMs);
  });
});

test("a request's calls end before its function does, and use cases are patient for less than that", async () => {
  const limit = limitRequestTime(20_000);
  expect(limit.leftInMs).toBeLessThanOrEqual(17_000);
  limit.openReserve();
  expect(limit.leftInMs).toBeLessThanOrEqual(19_000);
  const late = tableWithin(limitRequestTime(7_000));
  expect(late.patienceInMs).toBeLessThanOrEqual(3_000);
});
