import { describe, expect, test } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as createProgramme } from '../../functions/loyalties/create-loyalty-campaign.ts';
import { handler as updateProgramme } from '../../functions/loyalties/update-loyalty-campaign.ts';
import { caller } from '../support/call.ts';
import { ownTable, standingClock, testDependencies } from '../support/dependencies.ts';
import { earningRule, loyaltyTier } from '../support/lists.ts';
import { card, entry, ledgerOf, newClub, programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

type Handler = Parameters<typeof caller>[0];

const tier = (id: string, from: number, to?: number) =>
  loyaltyTier(id, id, { from, ...(to === undefined ? {} : { to }) });

const byPeriod = (qualification_period: string, start: string, end: string) => ({
  qualification_type: 'POINTS_IN_PERIOD',
  qualification_period,
  start_date: { type: start },
  expiration_date: { type: end },
});

/** Loads a project on 15 June 2026 into a separate table, because a run settles its whole table. */
async function newWorld(loyalty_tiers_expiration: object) {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName: await ownTable() }), clock };
  const club = await newClub(
    {
      campaigns: [programme('camp_club', { loyalty_tiers_expiration })],
      loyalty_tiers: [tier('bronze', 1, 99), tier('silver', 100, 499), tier('gold', 500)],
      customers: [{ id: 'cust_ada' }],
      vouchers: [card('ADA', 1_000, { holder_id: 'cust_ada' }), card('RICH', 9_000)],
      event_schema: [
        { name: 'seen', metadata: { points: 'number' } },
        { name: 'booked', metadata: {} },
      ],
      earning_rules: [
        earningRule('ern_seen', 'seen', { type: 'PROPORTIONAL', metadata_key: 'points', every: 1, points: 1 }),
        earningRule('ern_booked', 'booked', { type: 'FIXED', points: 100 }, { pending_points: { days: 30 } }),
      ],
    },
    dependencies,
  );
  const { credentials: headers } = club.project;
  const call = async (handler: Handler, request: object) => {
    const reply = await caller(handler, dependencies)({ headers, ...request });
    expect([reply.status, reply.body.details]).toEqual([200, undefined]);
  };
  const run = async (day: string) => {
    clock.set(`${day}T00:30:00Z`);
    expect(await settleDue(dependencies)).toMatchObject({ failed: 0, finished: true });
  };
  await run('2026-06-15');
  return {
    ...club,
    clock,
    dependencies,
    run,
    earn: (points: number) =>
      call(sendEvent, { body: { event: 'seen', customer: { id: 'cust_ada' }, metadata: { points } } }),
    book: () => call(sendEvent, { body: { event: 'booked', customer: { id: 'cust_ada' } } }),
    adjust: (points: number) => call(adjustBalance, { params: { memberId: 'ADA' }, body: { points } }),
    tier: async () => {
      const [own] = (await club.tiers('ADA')).body.data;
      return own ? [own.id, own.expiration.start_date, own.expiration.expiration_date] : [];
    },
    told: async () => {
      const kinds = ['ACTIVITY#', 'LEDGER#'];
      const found = await Promise.all(kinds.map((kind) => itemsOf(club.project.id, kind, dependencies)));
      const moves = found.flat().flatMap(({ code, created_at, type, moves = [] }) => {
        if (code !== 'ADA') return [];
        const own = /\.tier\.(\w+)$/.exec(String(type))?.[1];
        const all = [...(own ? [own] : []), ...(moves as { kind: string }[]).map(({ kind }) => kind)];
        return all.map((kind) => `${String(created_at).slice(0, 10)} ${kind}`);
      });
      return moves.sort();
    },
  };
}

test('fourteen months by the points earned in a month, kept through the next: tiers change by the clock, with one activity each', async () => {
  const world = await newWorld(byPeriod('MONTH', 'IMMEDIATE', 'END_OF_NEXT_PERIOD'));
  // Initial points were not earned, and transferred points were earned elsewhere.
  await world.transfer('ADA', [entry('RICH', 800)]);
  expect(await world.tier()).toEqual([]);
  await world.earn(60);
  expect(await world.tier()).toEqual(['bronze', '2026-06-15', '2026-07-31']);
  await world.adjust(40);
  await world.adjust(-1_500);
  expect(await world.tier()).toEqual(['silver', '2026-06-15', '2026-07-31']);
  await world.book();

  // Pending points ripen in the next month, and are earned then.
  await world.run('2026-07-15');
  await world.run('2026-08-01');
  expect(await world.tier()).toEqual(['silver', '2026-08-01', '2026-08-31']);
  await world.earn(600);
  expect(await world.tier()).toEqual(['gold', '2026-08-01', '2026-09-30']);
  await world.run('2026-09-10');
  await world.earn(5);
  await world.run('2026-10-01');
  expect(await world.tier()).toEqual(['bronze', '2026-10-01', '2026-10-31']);
  await world.run('2026-11-01');
  expect(await world.tier()).toEqual([]);

  // Nothing happens until new points are earned. Unsettled months are then settled one after the other.
  for (const day of ['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-20']) await world.run(day);
  await world.earn(150);
  expect(await world.tier()).toEqual(['silver', '2027-03-20', '2027-04-30']);
  await world.run('2027-04-02');
  await world.earn(100);
  await world.run('2027-08-15');
  expect(await world.tier()).toEqual([]);
  await world.run('2027-08-15');
  expect(await world.told()).toEqual([
    '2026-06-15 joined',
    '2026-06-15 upgraded',
    '2026-08-01 prolonged',
    '2026-08-01 upgraded',
    '2026-10-01 downgraded',
    '2026-11-01 left',
    '2027-03-20 joined',
    '2027-08-15 left',
    '2027-08-15 prolonged',
  ]);
  await ledgerOf(world, 'ADA');
});

test("points earned in a year give the next year's tier, at its start", async () => {
  const world = await newWorld(byPeriod('YEAR', 'NEXT_PERIOD', 'END_OF_PERIOD'));
  await world.earn(90);
  await world.run('2026-11-30');
  await world.earn(20);
  await world.run('2026-12-31');
  expect(await world.tier()).toEqual([]);
  await world.run('2027-01-01');
  expect(await world.tier()).toEqual(['silver', '2027-01-01', '2027-12-31']);
  expect(await world.told()).toEqual(['2027-01-01 joined']);
  await world.earn(700);
  await world.run('2027-12-31');
  expect(await world.tier()).toEqual(['silver', '2027-01-01', '2027-12-31']);
  await world.run('2028-01-01');
  expect(await world.tier()).toEqual(['gold', '2028-01-01', '2028-12-31']);
  await world.run('2029-01-01');
  expect(await world.tier()).toEqual([]);
  expect(await world.told()).toEqual(['2027-01-01 joined', '2028-01-01 upgraded', '2029-01-01 left']);
});

test('twenty simultaneous credits count once each, and move the member once to each tier', async () => {
  const world = await newWorld(byPeriod('QUARTER', 'IMMEDIATE', 'END_OF_PERIOD'));
  await Promise.all(Array.from({ length: 20 }, () => world.earn(25)));
  expect(await world.tier()).toEqual(['gold', '2026-06-15', '2026-06-30']);
  expect(await world.told()).toEqual(['2026-06-15 joined', '2026-06-15 upgraded', '2026-06-15 upgraded']);
  await Promise.all([world.run('2026-07-01'), world.run('2026-07-01')]);
  expect(await world.tier()).toEqual([]);
  expect(await world.told()).toHaveLength(4);
});

describe('a programme', () => {
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } };
  const period = byPeriod('MONTH', 'IMMEDIATE', 'END_OF_PERIOD');
  test.each<[object, string]>([
    [{ ...period, qualification_period: undefined }, 'qualification_period'],
    [{ ...period, expiration_date: { type: 'BALANCE_DROP' } }, 'END_OF_PERIOD or END_OF_NEXT_PERIOD'],
    [{ ...period, expiration_date: { type: 'END_OF_PERIOD', rounding: { type: 'MONTH' } } }, 'without rounding'],
    [{ ...period, qualification_type: 'BALANCE' }, 'CUSTOM or BALANCE_DROP'],
    [{ qualification_type: 'BALANCE', start_date: { type: 'NEXT_PERIOD' } }, 'IMMEDIATE'],
    [
      {
        qualification_type: 'BALANCE',
        expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'CUSTOM' } },
      },
      'value of 0 (January)',
    ],
  ])('does not accept %j', async (loyalty_tiers_expiration, fault) => {
    const { credentials: headers } = await loadProject({ campaigns: [programme('camp_club')] });
    const made = await caller(createProgramme)({ headers, body: { name: 'New', voucher, loyalty_tiers_expiration } });
    expect([made.status, made.body.details]).toEqual([400, expect.stringContaining(fault)]);
    const params = { campaignId: 'camp_club' };
    const changed = await caller(updateProgramme)({ headers, params, body: { loyalty_tiers_expiration } });
    expect([changed.status, changed.body.details]).toEqual([400, expect.stringContaining(fault)]);
  });

  test('keeps these fields, and members of tiers without a period show their start', async () => {
    const { credentials: headers } = await loadProject({});
    const make = (name: string, loyalty_tiers_expiration: object) =>
      caller(createProgramme)({ headers, body: { name, voucher, loyalty_tiers_expiration } });
    expect((await make('Month', period)).body).toMatchObject({ loyalty_tiers_expiration: period });
    const drop = { qualification_type: 'BALANCE', expiration_date: { type: 'BALANCE_DROP' } };
    expect((await make('Drop', drop)).body).toMatchObject({ loyalty_tiers_expiration: drop });
    const world = await newWorld(drop);
    const [own] = (await world.tiers('ADA')).body.data;
    expect([own.id, own.expiration.start_date, own.expiration.expiration_date]).toEqual([
      'gold',
      '2026-06-15',
      undefined,
    ]);
    await world.adjust(-900);
    expect((await world.tiers('ADA')).body.data).toMatchObject([{ id: 'silver' }]);
  });
});
