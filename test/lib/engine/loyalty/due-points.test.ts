import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { pendingPoints } from '#engine/ledger/pending-points.ts';
import { indexed } from '#kernel/table/keys.ts';
import { handler as eventHandler } from '../../../../functions/events/send-event.ts';
import { caller } from '../../../support/call.ts';
import { newWorld, nothing } from '../../../support/due.ts';
import { earningRule, loyaltyTier } from '../../../support/lists.ts';
import { card, entry, ledgerOf, programme } from '../../../support/loyalty.ts';

const tier = (id: string, from: number, to?: number) =>
  loyaltyTier(id, id, { from, ...(to === undefined ? {} : { to }) });
const kept = {
  qualification_type: 'BALANCE',
  expiration_date: { type: 'CUSTOM', extend: 'P3M', rounding: { type: 'MONTH', strategy: 'END' } },
};

test('points whose last day has passed are written off once, and the card is due again with the next ones', async () => {
  const world = await newWorld({
    vouchers: [
      card('A', [
        { points: 30, expires: '2026-06-30' },
        { points: 20, expires: '2026-09-30' },
        { points: 10, expires: null },
      ]),
      card('B', 5),
    ],
  });
  expect(await world.run('2026-06-16')).toEqual({ ...nothing, settled: 2 });
  expect([(await world.stored('A'))?.dueAt, (await world.stored('B'))?.dueAt]).toEqual(['2026-07-01', undefined]);
  expect(await world.run('2026-06-30')).toEqual(nothing);
  expect(await world.run('2026-07-01')).toEqual({ ...nothing, settled: 1 });
  expect(await world.run('2026-07-01')).toEqual(nothing);
  expect((await world.stored('A'))?.dueAt).toBe('2026-10-01');
  expect(await world.run('2027-01-01')).toEqual({ ...nothing, settled: 1 });
  expect(await ledgerOf(world, 'A')).toMatchObject([
    {
      type: 'POINTS_EXPIRATION',
      points: -30,
      balance: 30,
      source: 'Automation',
      created_at: '2026-07-01T00:30:00.000Z',
    },
    { type: 'POINTS_EXPIRATION', points: -20, balance: 10 },
  ]);
  expect(await world.stored('A')).not.toHaveProperty('dueAt');
  expect(await world.run('2099-01-01')).toEqual(nothing);
  expect(world.dependencies.lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
    level: 'info',
    job: 'settle-due',
    ...nothing,
  });
});

test('a card without changes keeps its date of update, however often it is settled', async () => {
  const world = await newWorld({
    campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept })],
    loyalty_tiers: [tier('ltr_all', 0)],
    vouchers: [card('A', [{ points: 20, expires: '2027-09-30' }]), card('B', 5)],
  });
  expect(await world.run('2026-06-16')).toEqual({ ...nothing, settled: 2 });
  expect([(await world.stored('A'))?.updated_at, (await world.stored('B'))?.updated_at]).toEqual([
    undefined,
    undefined,
  ]);
  await world.run('2027-10-01');
  expect((await world.stored('A'))?.updated_at).toBe('2027-10-01T00:30:00.000Z');
});

test("a member whose tier has ended moves without a request, and the member's list shows it", async () => {
  const world = await newWorld({
    customers: [{ id: 'cust_ada' }],
    campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept })],
    loyalty_tiers: [tier('bronze', 10, 99), tier('silver', 100)],
    vouchers: [card('A', 100, { holder_id: 'cust_ada', created_at: '2026-06-10T00:00:00Z' }), card('TO', 0)],
  });
  await world.run('2026-06-15');
  expect(await world.stored('A')).toMatchObject({
    standing: { tier_id: 'silver', start_date: '2026-06-10', expiration_date: '2026-09-30' },
    dueAt: '2026-10-01',
  });
  expect((await world.transfer('TO', [entry('A', 95)])).status).toBe(200);
  expect(await world.run('2026-09-30')).toEqual(nothing);
  expect(await world.run('2026-10-01')).toMatchObject({ settled: 2 });
  const stored = await world.stored('A');
  expect([stored?.standing, stored?.dueAt]).toEqual([null, undefined]);
  const told = await world.items('ACTIVITY#');
  expect(told.filter(({ code }) => code === 'A')).toMatchObject([
    { type: 'customer.loyalty.tier.left', gsi1pk: expect.stringContaining('cust_ada') },
  ]);
  expect(told.filter(({ code }) => code === 'TO')).toMatchObject([{ type: 'customer.loyalty.tier.prolonged' }]);
});

test('a member whose tier still fits keeps it for another period', async () => {
  const world = await newWorld({
    campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept })],
    loyalty_tiers: [tier('bronze', 10)],
    vouchers: [card('A', 100, { created_at: '2026-06-10T00:00:00Z' })],
  });
  await world.run('2026-06-15');
  expect(await world.run('2026-10-01')).toMatchObject({ settled: 1 });
  expect(await world.stored('A')).toMatchObject({
    standing: { start_date: '2026-10-01', expiration_date: '2027-01-31' },
    dueAt: '2027-02-01',
  });
  expect(await world.items('ACTIVITY#')).toMatchObject([{ type: 'customer.loyalty.tier.prolonged', code: 'A' }]);
});

describe('pending points', () => {
  const lists = {
    campaigns: [
      programme('camp_club', {
        voucher: {
          type: 'LOYALTY_CARD',
          loyalty_card: { points: 0, expiration_rules: { period_type: 'MONTH', period_value: 1 } },
        },
      }),
    ],
    loyalty_tiers: [tier('bronze', 50)],
    event_schema: [{ name: 'photo', metadata: {} }],
    earning_rules: [earningRule('ern_photo', 'photo', { type: 'FIXED', points: 40 }, { pending_points: { days: 14 } })],
    customers: [{ id: 'cust_ada' }],
    vouchers: [card('A', [{ points: 7, expires: '2026-06-20' }], { holder_id: 'cust_ada' })],
  };
  const photo = async (world: Awaited<ReturnType<typeof newWorld>>) => {
    const body = { event: 'photo', customer: { id: 'cust_ada' }, loyalty: { code: 'A' } };
    const reply = await caller(eventHandler, world.dependencies)({ headers: world.project.credentials, body });
    expect(reply.status).toBe(200);
  };

  test('become points of the card at their time, with all effects of a credit', async () => {
    const world = await newWorld(lists);
    await photo(world);
    await photo(world);
    const [pending] = await world.items('PENDING_POINTS#');
    const id = String(pending?.id);
    expect((await world.adjust('A', id, -5)).body.total).toBe(75);
    expect(await world.run('2026-06-28')).toMatchObject({ activated: 0 });
    expect(await world.balance('A')).toBe(0);

    expect(await world.run('2026-06-30')).toMatchObject({ activated: 2, failed: 0, finished: true });
    expect(await world.run('2026-06-30')).toEqual(nothing);
    expect((await world.voucher('A')).loyalty_card).toEqual({
      points: 82,
      balance: 75,
      next_expiration_date: '2026-07-30',
      next_expiration_points: 75,
      pending_points: 0,
      expired_points: 7,
      subtracted_points: 0,
    });
    const [lapsed, ...credits] = await ledgerOf(world, 'A');
    expect(lapsed).toMatchObject({ type: 'POINTS_EXPIRATION', points: -7 });
    expect(credits.map(({ points }) => points).sort()).toEqual([35, 40]);
    expect(credits).toMatchObject([
      { type: 'PENDING_POINTS_ACTIVATION', details: { custom_event: { type: 'photo' }, earning_rule_id: 'ern_photo' } },
      { type: 'PENDING_POINTS_ACTIVATION' },
    ]);
    const groups = (await world.items('PENDING_POINTS#')).map(({ group_id }) => group_id);
    expect(new Set(credits.map(({ details }) => details.event?.id))).toEqual(new Set(groups));
    expect((await world.tiers('A')).body.data).toMatchObject([{ id: 'bronze' }]);
    expect((await world.adjust('A', id, 1)).body).toMatchObject({ key: 'invalid_pending_points_state' });
    expect((await world.items('PENDING_POINTS#')).map(({ state }) => state)).toEqual(['ACTIVATED', 'ACTIVATED']);
    expect(await world.stored('A')).toMatchObject({ pending_points: 0 });
  });

  test('are credited once by ten runs at once, while requests change the card', async () => {
    const world = await newWorld({ ...lists, vouchers: [...lists.vouchers, card('FROM', 100)] });
    for (let count = 0; count < 5; count++) await photo(world);
    const runs = Array.from({ length: 10 }, () => world.run('2026-06-30'));
    const transfers = Array.from({ length: 3 }, () => world.transfer('A', [entry('FROM', 1)]));
    const reports = await Promise.all(runs);
    expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    // A transfer that is faster than all runs has activated them.
    expect(reports.reduce((sum, { activated }) => sum + activated, 0)).toBeLessThanOrEqual(5);
    expect(reports.map(({ failed }) => failed)).toEqual(reports.map(() => 0));
    expect(await world.balance('A')).toBe(5 * 40 + 3);
    expect(await ledgerOf(world, 'A')).toHaveLength(1 + 5 + 3);
  });

  test('leave the due list without further effect once they are no longer pending', async () => {
    const world = await newWorld({ ...lists, vouchers: [card('A', 7)] });
    await world.run('2026-06-15');
    const { id } = await world.voucher('A');
    const { dynamodb, tableName } = world.dependencies;
    const key = pendingPoints(world.project.id, id, 'lopp_1');
    const due = { project_id: world.project.id, dueShard: indexed.dueShardOf(key), dueAt: '2026-06-16T00:00:00.000Z' };
    const Item = { ...key, ...due, id: 'lopp_1', voucher_id: id, points: 5, state: 'CANCELED' };
    await dynamodb.send(new PutCommand({ TableName: tableName, Item }));
    expect(await world.run('2026-06-20')).toEqual({ ...nothing, skipped: 1 });
    expect(await world.run('2026-06-20')).toEqual(nothing);
    expect(await world.balance('A')).toBe(7);
  });
});
