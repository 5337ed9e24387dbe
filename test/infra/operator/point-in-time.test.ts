import { describe, expect, test } from 'vitest';
import { type PointInTime, restoreTable, type TableState } from '../../../infra/operator/restore/point-in-time.ts';

const at = new Date('2026-06-15T12:00:00.000Z');
const window = { earliest: new Date('2026-06-01T00:00:00Z'), latest: new Date('2026-06-16T00:00:00Z') };
const wanted = { source: 'live', target: 'side', at };

/** Plays DynamoDB. A restored table needs this many checks until it is ready. */
function recovery({ looks = 2, ends = 'ACTIVE', tables = {} as Record<string, TableState>, hasWindow = true } = {}) {
  const known = new Map<string, TableState>([
    ['live', { status: 'ACTIVE', arn: 'arn:live', keyArn: 'arn:key' }],
    ...Object.entries(tables),
  ]);
  const calls: unknown[] = [];
  let left = looks;
  const aws: PointInTime = {
    describe: async (name) => known.get(name),
    window: async () => (hasWindow ? window : undefined),
    restore: async (call) => {
      calls.push(call);
      known.set(call.target, { status: 'CREATING', restored: { from: 'arn:live', at: call.at } });
    },
    pause: async () => {
      left -= 1;
      if (left <= 0) known.set('side', { ...known.get('side'), status: ends });
    },
  };
  return { aws, calls, looksLeft: () => left };
}

describe('a restore to a time', () => {
  test("makes a new table with the old table's key, and ends when it can be read", async () => {
    const { aws, calls, looksLeft } = recovery();
    await restoreTable(aws, wanted);
    expect(calls).toEqual([{ ...wanted, keyArn: 'arn:key' }]);
    expect(looksLeft()).toBe(0);
  });

  test('that was interrupted is not started again, and the next run waits for it', async () => {
    const restored = { from: 'arn:live', at };
    const { aws, calls } = recovery({ tables: { side: { status: 'CREATING', restored } } });
    await restoreTable(aws, wanted);
    expect(calls).toEqual([]);
    const done = recovery({ tables: { side: { status: 'ACTIVE', restored } } });
    await restoreTable(done.aws, wanted);
    expect([done.calls, done.looksLeft()]).toEqual([[], 2]);
  });

  test.each([
    ['another table with that name', { tables: { side: { status: 'ACTIVE' } } }, wanted, 'is not a restore of live'],
    [
      'a restore to another time',
      { tables: { side: { status: 'ACTIVE', restored: { from: 'arn:live', at: window.latest } } } },
      wanted,
      'is not a restore of live',
    ],
    ['the table itself', {}, { ...wanted, target: 'live' }, 'a restore makes a new table'],
    ['no such table', {}, { ...wanted, source: 'none' }, 'the table none does not exist'],
    ['no recovery', { hasWindow: false }, wanted, 'has no point-in-time recovery'],
    ['a time before', {}, { ...wanted, at: new Date('2026-05-01T00:00:00Z') }, 'from 2026-06-01T00:00:00.000Z'],
    ['a time after', {}, { ...wanted, at: new Date('2026-07-01T00:00:00Z') }, 'to 2026-06-16T00:00:00.000Z'],
    ['a table that fails', { ends: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS' }, wanted, 'INACCESSIBLE'],
  ])('is refused with a reason: %s', async (_, world, call, words) => {
    await expect(restoreTable(recovery(world).aws, call)).rejects.toThrow(words);
  });
});
