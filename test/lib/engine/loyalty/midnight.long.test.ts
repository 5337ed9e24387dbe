import { beforeEach, describe, expect, test } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as sendEvent } from '../../../../functions/events/send-event.ts';
import { handler as activate } from '../../../../functions/loyalties/activate-pending-points.ts';
import { caller } from '../../../support/call.ts';
import { clientWith } from '../../../support/client.ts';
import { newWorld } from '../../../support/due.ts';
import { earningRule } from '../../../support/lists.ts';
import { card, entry, ledgerOf, programme } from '../../../support/loyalty.ts';
import { isLong } from '../../../support/sampled.ts';

/** Settles several changes at one midnight: first pending points, then ended tiers and lapsed points, and the tier once. */

const basicAndSilver = [
  { id: 'basic', name: 'Basic', campaign_id: 'camp_club', points: { from: 0, to: 99 } },
  { id: 'silver', name: 'Silver', campaign_id: 'camp_club', points: { from: 100 } },
];
const byRising = earningRule(
  'ern_rising',
  'customer.loyalty.tier.upgraded',
  { type: 'FIXED', points: 50 },
  { loyalty_tier: { id: '__ANY__' } },
);
const byPhoto = earningRule('ern_photo', 'photo', { type: 'FIXED', points: 7 });
const dueOn = (day: string, points: number, id: string) => ({
  ...{ id, code: 'ADA', points, event: 'photo' },
  activates_at: `${day}T00:00:00Z`,
});

/** Ada's 110 points make her Silver. 60 of them are good through 11 January. */
function openWorld({ pending = [dueOn('2027-01-12', 100, 'lopp_1')], more = {} } = {}) {
  return newWorld({
    loyalty_tiers: basicAndSilver,
    earning_rules: [byRising, byPhoto],
    event_schema: [{ name: 'photo', metadata: {} }],
    customers: [{ id: 'cust_ada' }],
    vouchers: [
      card(
        'ADA',
        [
          { points: 60, expires: '2027-01-11' },
          { points: 50, expires: null },
        ],
        { holder_id: 'cust_ada' },
      ),
      card('TO', 0),
    ],
    pending_points: pending,
    ...more,
  });
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** Returns each change with the tier changes that it caused. */
async function changesOf(world: World, code = 'ADA') {
  await ledgerOf(world, code);
  const rows = (await world.items('LEDGER#')).filter((row) => row.code === code);
  return rows
    .toSorted((one, other) => Number(one.sequence) - Number(other.sequence))
    .map(({ type, points, moves }) => [type, points, ...(moves as { kind: string }[]).map(({ kind }) => kind)]);
}

const kept = [
  ['PENDING_POINTS_ACTIVATION', 100],
  ['POINTS_EXPIRATION', -60],
];

describe('points that ripen in the night in which others lapse', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    await world.run('2027-01-11');
    world.dependencies.clock.set('2027-01-12T00:01:00Z');
  });

  test('keep the member in the tier without a rise', async () => {
    expect(await settleDue(world.dependencies)).toMatchObject({ activated: 1, failed: 0, finished: true });
    for (const hour of [2, 3]) {
      world.dependencies.clock.set(`2027-01-12T0${hour}:01:00Z`);
      await settleDue(world.dependencies);
    }
    expect(await changesOf(world)).toEqual(kept);
    expect((await world.tiers('ADA')).body.data).toMatchObject([{ id: 'silver' }]);
    expect((await world.voucher('ADA')).loyalty_card).toMatchObject({ balance: 150, pending_points: 0 });
  });

  test('do so even if a transfer is faster than the hourly run', async () => {
    expect((await world.transfer('TO', [entry('ADA', 10)])).status).toBe(200);
    expect(await changesOf(world)).toEqual([...kept, ['POINTS_TRANSFER_OUT', -10]]);
  });

  test('do so even if an event is faster', async () => {
    const body = { event: 'photo', customer: { id: 'cust_ada' } };
    const headers = world.project.credentials;
    expect((await caller(sendEvent, world.dependencies)({ headers, body })).status).toBe(200);
    expect(await changesOf(world)).toEqual([...kept, ['POINTS_ACCRUAL', 7]]);
  });

  test('do so even if an activation is faster, which answers with the rest', async () => {
    const params = { memberId: 'ADA', pendingPointsId: 'lopp_1' };
    const headers = world.project.credentials;
    const { status, body } = await caller(activate, world.dependencies)({ params, headers });
    expect([status, body]).toEqual([200, expect.objectContaining({ points: 100, total: 210, balance: 150 })]);
    expect(await changesOf(world)).toEqual(kept);
  });

  test('are credited once, by ten runs and requests at once', async () => {
    const runs = Array.from({ length: 10 }, () => settleDue(world.dependencies));
    const transfers = Array.from({ length: 3 }, () => world.transfer('TO', [entry('ADA', 5)]));
    expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all(runs)).map(({ failed }) => failed)).toEqual(Array(10).fill(0));
    const changes = await changesOf(world);
    expect(changes.filter(([type]) => type !== 'POINTS_TRANSFER_OUT')).toEqual(kept);
    expect(await world.balance('ADA')).toBe(135);
  });
});

describe('are settled even if they are more than a transaction takes', () => {
  const many = 70;
  const pending = Array.from({ length: many }, (_, index) => dueOn('2027-01-12', 1, `lopp_${index}`));

  test.each<[string, (send: () => Promise<unknown>) => Promise<unknown>]>([
    ['before', () => Promise.reject(new Error('broken'))],
    ['after', (send) => send().then(() => Promise.reject(new Error('broken')))],
  ])('ripen before anything lapses, even if each run breaks off %s one of its calls', async (_, breaks) => {
    const world = await openWorld({ pending });
    await world.run('2027-01-11');
    world.dependencies.clock.set('2027-01-12T00:01:00Z');
    for (let at = 1; at <= 80; at += isLong ? 9 : 27) {
      let calls = 0;
      const dynamodb = clientWith(world.dependencies.dynamodb, (__, real) => {
        calls += 1;
        return calls >= at ? breaks(real) : real();
      });
      await settleDue({ ...world.dependencies, dynamodb }).catch(() => {});
    }
    expect(await settleDue(world.dependencies)).toMatchObject({ failed: 0, finished: true });
    expect(await changesOf(world)).toEqual([
      ...Array(many).fill(['PENDING_POINTS_ACTIVATION', 1]),
      ['POINTS_EXPIRATION', -60],
    ]);
    expect((await world.tiers('ADA')).body.data).toMatchObject([{ id: 'silver' }]);
    expect(await world.stored('ADA')).toMatchObject({ pending_points: 0 });
  });

  test('ripen by a request as well', async () => {
    const world = await openWorld({ pending });
    await world.run('2027-01-11');
    world.dependencies.clock.set('2027-01-12T00:01:00Z');
    expect((await world.transfer('TO', [entry('ADA', 20)])).status).toBe(200);
    expect((await changesOf(world)).slice(many)).toEqual([
      ['POINTS_EXPIRATION', -60],
      ['POINTS_TRANSFER_OUT', -20],
    ]);
  });
});

describe('a tier that has ended and is settled late', () => {
  const extend = { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } };
  const expiring = { loyalty_tiers_expiration: { qualification_type: 'BALANCE', expiration_date: extend } };

  test.each([
    ['is prolonged by points that ripened at its end', '2027-02-01', ['prolonged']],
    [
      'was lost before points ripened later, with which the member rises again',
      '2027-02-02',
      ['downgraded', 'upgraded'],
    ],
  ])('%s', async (_, day, moves) => {
    const world = await openWorld({
      pending: [dueOn(day, 100, 'lopp_1')],
      more: { campaigns: [programme('camp_club', expiring)], earning_rules: [] },
    });
    await world.run('2026-12-15');
    await world.run('2027-01-12');
    const stored = await world.stored('ADA');
    expect(stored?.standing).toMatchObject({ tier_id: 'silver', expiration_date: '2027-01-31' });
    await world.run('2027-02-03');
    expect(await changesOf(world)).toEqual([
      ['POINTS_EXPIRATION', -60],
      ['PENDING_POINTS_ACTIVATION', 100, ...moves],
    ]);
  });
});
