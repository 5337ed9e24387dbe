import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { orderShards } from '#addons/upkeep/due.ts';
import { dueShards, indexed } from '#kernel/table/keys.ts';
import { settleDue } from '#registry.ts';
import { clientWith } from '../../../support/client.ts';
import { newWorld, nothing } from '../../../support/due.ts';
import { card, ledgerOf } from '../../../support/loyalty.ts';

test('an item that cannot be settled stops no other, stays due, and is reported without its code', async () => {
  const codes = Array.from({ length: 12 }, (_, index) => `SECRET-${index}`);
  const world = await newWorld({
    vouchers: codes.map((code) => card(code, [{ points: 5, expires: '2026-06-30' }])),
  });
  const broken = await world.stored('SECRET-5');
  const { dynamodb, tableName } = world.dependencies;
  await dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...broken, lots: 'SECRET' } }));
  expect(await world.run('2026-07-01')).toEqual({ ...nothing, settled: 11, failed: 1 });
  expect(await world.run('2026-07-01')).toEqual({ ...nothing, failed: 1 });
  const errors = world.dependencies.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([
    { job: 'settle-due', item: { pk: broken?.pk }, cause_message: expect.stringContaining('lots') },
    { item: { pk: broken?.pk } },
  ]);
  expect(world.dependencies.lines.join()).not.toContain('SECRET');
  for (const code of codes.filter((code) => code !== 'SECRET-5')) expect(await world.balance(code)).toBe(0);
});

test('a run without time left leaves the rest to the next', async () => {
  const codes = Array.from({ length: 40 }, (_, index) => `C${index}`);
  const world = await newWorld({ vouchers: codes.map((code) => card(code, [{ points: 5, expires: '2026-06-30' }])) });
  world.dependencies.clock.set('2026-07-01T00:30:00Z');
  let asked = 0;
  const first = await settleDue(world.dependencies, () => ++asked > 15);
  expect(first).toEqual({ ...nothing, settled: 15, finished: false });
  expect(await settleDue(world.dependencies)).toEqual({ ...nothing, settled: 25 });
});

test('a run begins at another part of the list each hour, and does all of them', () => {
  const hours = Array.from({ length: dueShards }, (_, hour) => orderShards(new Date(hour * 3_600_000)));
  expect(new Set(hours.map(([first]) => first)).size).toBe(dueShards);
  for (const shards of hours) expect([...shards].sort((a, b) => a - b)).toEqual([...Array(dueShards).keys()]);
});

test('a part of the list that cannot be read delays no other, and the run is reported as unfinished', async () => {
  const codes = Array.from({ length: 40 }, (_, index) => `C${index}`);
  const world = await newWorld({ vouchers: codes.map((code) => card(code, [{ points: 5, expires: '2026-06-30' }])) });
  world.dependencies.clock.set('2026-07-01T00:30:00Z');
  const client = clientWith(world.dependencies.dynamodb, (command, real) =>
    JSON.stringify(command.input).includes(indexed.due(3)) && command instanceof QueryCommand
      ? Promise.reject(new Error('away'))
      : real(),
  );
  const report = await settleDue({ ...world.dependencies, dynamodb: client });
  expect(report).toMatchObject({ finished: false, failed: 0 });
  expect(report.settled).toBeGreaterThan(20);
  expect((await settleDue(world.dependencies)).settled).toBe(40 - report.settled);
});

describe('a run that breaks off', () => {
  const broken = () => Promise.reject(new Error('broken'));
  test.each<[string, (send: () => Promise<unknown>) => Promise<unknown>]>([
    ['before', broken],
    ['after', (send) => send().then(broken)],
  ])('%s any of its calls has done all of an item or nothing, and the next run does the rest', async (_, breaks) => {
    const days = Array.from({ length: 12 }, (_, index) => `2026-07-${String(10 + index)}`);
    const lots = days.map((expires) => ({ points: 5, expires }));
    const world = await newWorld({ vouchers: [card('A', lots)] });
    await world.run('2026-06-15');
    const { dynamodb } = world.dependencies;
    let done = 0;
    for (const [index, day] of days.entries()) {
      let calls = 0;
      const client = clientWith(dynamodb, (_, real) => {
        calls += 1;
        return calls === index + 1 ? breaks(real) : real();
      });
      const failing = { ...world.dependencies, dynamodb: client };
      world.dependencies.clock.set(`${day}T23:00:00Z`);
      world.dependencies.clock.advance(3 * 3_600);
      await settleDue(failing).catch(() => {});
      done += 5;
      await settleDue(world.dependencies);
      expect(await world.balance('A')).toBe(60 - done);
      expect(await ledgerOf(world, 'A')).toHaveLength(done / 5);
    }
  });
});
