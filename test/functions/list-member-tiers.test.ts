import { describe, expect, test } from 'vitest';
import { handler as tiersHandler } from '../../functions/loyalties/list-member-tiers.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { card, entry, newClub, programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';

const tier = (campaign_id: string, id: string, from: number, to?: number) => ({
  id: `${id}-${campaign_id}`,
  name: id,
  campaign_id,
  points: { from, ...(to === undefined ? {} : { to }) },
  ...(campaign_id === 'camp_club' && {
    earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 1.5 } },
    rewards: { rewa_1: { type: 'CUSTOM', points: 40 } },
  }),
  metadata: { rank: from },
  created_at: '2026-01-01T00:00:00Z',
});
const tiersOf = (campaignId: string) => [
  tier(campaignId, 'bronze', 10, 99),
  tier(campaignId, 'silver', 100, 499),
  tier(campaignId, 'gold', 500),
];

const kept = {
  qualification_type: 'BALANCE',
  start_date: { type: 'IMMEDIATE' },
  expiration_date: { type: 'CUSTOM', extend: 'P3M', rounding: { type: 'MONTH', strategy: 'END' } },
};

const created_at = '2026-02-02T09:00:00Z';

const clubCard = (code: string, points: number, more = {}) => card(code, points, { created_at, ...more });
const plain = { campaign_id: 'camp_plain' };
const club = await newClub({
  customers: [{ id: 'cust_ada' }],
  campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept }), programme('camp_plain')],
  loyalty_tiers: [...tiersOf('camp_club'), ...tiersOf('camp_plain')],
  event_schema: [{ name: 'paid', metadata: {} }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'paid', active: true, loyalty: { type: 'FIXED', points: 1 } },
  ],
  rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  vouchers: [
    clubCard('NEW', 120, { holder_id: 'cust_ada' }),
    clubCard('NONE', 9),
    clubCard('UP', 90, { holder_id: 'cust_ada' }),
    clubCard('DOWN', 600),
    clubCard('FUND', 1_000),
    clubCard('PLAIN', 120, plain),
    clubCard('PLAIN-UP', 500, plain),
    clubCard('LAPSING', 0, {
      loyalty_card: {
        points: 600,
        balance: 600,
        lots: [
          { points: 590, expires: '2026-06-20' },
          { points: 10, expires: null },
        ],
      },
    }),
    { ...clubCard('LOOSE', 500), campaign_id: undefined },
    { code: 'COUPON', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } },
  ],
});

async function tiersOn(day: string, code: string): Promise<[string, string | undefined, string | undefined][]> {
  const clock = standingClock(new Date(`${day}T12:00:00Z`));
  const call = caller(tiersHandler, testDependencies({ clock }));
  const { status, body } = await call({ params: { memberId: code }, headers: club.project.credentials });
  expect([status, body.object, body.data_ref, body.total]).toEqual([200, 'list', 'data', body.data.length]);
  return body.data.map(({ name, expiration }: { name: string; expiration?: Record<string, string> }) => [
    name,
    expiration?.start_date,
    expiration?.expiration_date,
  ]);
}

const transferOn = (day: string, from: string, to: string, points: number, campaignId = 'camp_club') => {
  const clock = standingClock(new Date(`${day}T12:00:00Z`));
  const call = caller(transferHandler, testDependencies({ clock }));
  const body = [entry(from, points)];
  return call({ params: { campaignId, memberId: to }, headers: club.project.credentials, body });
};

test("a member is in the tier whose range has the balance, with the tier's period", async () => {
  const { body } = await club.tiers('NEW');
  expect(body).toEqual({
    object: 'list',
    data_ref: 'data',
    total: 1,
    data: [
      {
        id: 'silver-camp_club',
        name: 'silver',
        campaign_id: 'camp_club',
        metadata: { rank: 100 },
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: null,
        earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 1.5 } },
        rewards: { rewa_1: { type: 'CUSTOM', points: 40 } },
        config: { points: { from: 100, to: 499 } },
        points: { from: 100, to: 499 },
        expiration: {
          customer_id: 'cust_ada',
          campaign_id: 'camp_club',
          tier_id: 'silver-camp_club',
          start_date: '2026-06-01',
          expiration_date: '2026-09-30',
          created_at: '2026-06-01T00:00:00.000Z',
          updated_at: '2026-06-01T00:00:00.000Z',
        },
        object: 'loyalty_tier',
      },
    ],
  });
  expect((await club.tiers((await club.voucher('NEW')).id)).body).toEqual(body);
});

test('a member below all ranges has no tier, and neither has one without a programme', async () => {
  expect(await tiersOn('2026-06-15', 'NONE')).toEqual([]);
  expect(await tiersOn('2026-06-15', 'LOOSE')).toEqual([]);
});

test('a member moves up at once, and each change is an activity of the holder', async () => {
  expect(await tiersOn('2026-06-15', 'UP')).toEqual([['bronze', '2026-06-01', '2026-09-30']]);
  await transferOn('2026-06-15', 'FUND', 'UP', 10);
  expect(await tiersOn('2026-06-15', 'UP')).toEqual([['silver', '2026-06-15', '2026-09-30']]);
  const entries = await itemsOf(club.project.id, 'LEDGER#');
  expect(entries.find(({ code }) => code === 'UP')).toMatchObject({
    moves: [{ kind: 'upgraded', from: { name: 'bronze' }, to: { name: 'silver' } }],
    gsi1pk: expect.stringContaining('cust_ada'),
  });
});

test('a member keeps the tier through its last day for any spending, and then follows the balance down', async () => {
  await transferOn('2026-06-15', 'DOWN', 'FUND', 550);
  expect(await tiersOn('2026-06-15', 'DOWN')).toEqual([['gold', '2026-06-01', '2026-09-30']]);
  expect(await tiersOn('2026-09-30', 'DOWN')).toEqual([['gold', '2026-06-01', '2026-09-30']]);
  expect(await tiersOn('2026-10-01', 'DOWN')).toEqual([['bronze', '2026-10-01', '2027-01-31']]);
});

test('points that lapse move the member down at the end of the tier, though nothing was written', async () => {
  expect(await tiersOn('2026-06-25', 'LAPSING')).toEqual([['gold', '2026-06-01', '2026-09-30']]);
  expect(await tiersOn('2026-10-01', 'LAPSING')).toEqual([['bronze', '2026-10-01', '2027-01-31']]);
});

test('without a period of tiers, a member follows the balance in both directions, and no period is shown', async () => {
  expect(await tiersOn('2026-06-15', 'PLAIN')).toEqual([['silver', undefined, undefined]]);
  await transferOn('2026-06-15', 'PLAIN', 'PLAIN-UP', 21, 'camp_plain');
  expect(await tiersOn('2026-06-15', 'PLAIN')).toEqual([['bronze', undefined, undefined]]);
  await transferOn('2026-06-15', 'PLAIN', 'PLAIN-UP', 99, 'camp_plain');
  expect(await tiersOn('2026-06-15', 'PLAIN')).toEqual([]);
});

describe('404', () => {
  test.each(['NOPE', 'COUPON'])('for %s', async (memberId) => {
    const { status, body } = await club.tiers(memberId);
    expect([status, body.key, body.resource_id]).toEqual([404, 'not_found', memberId]);
  });
});
