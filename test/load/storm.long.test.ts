import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileTable, testDependencies } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { stormy } from '../support/storm.ts';
import { type Answer, type Ask, asked, type Storm, weathered } from './stormy-shop.ts';
import { startTill } from './till-process.ts';

/** Limits and balances hold while calls are throttled, cancelled and lost, and while tills die. */

const callers = isLong ? 64 : 8;
/** `STORM_LIMIT=10000` lasts some half an hour on two cores. */
const longLimit = Number(process.env.STORM_LIMIT ?? 400);
/** `STORM_SEED` sets another seed. */
const seed = Number(process.env.STORM_SEED ?? 20_260_615);
/** Holds of dead tills have lapsed by then. */
const laterByMs = 61_000;
const timeout = 3_000_000;

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy();
});
afterAll(() => proxy.close());

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };

const programme = {
  campaigns: [{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' }],
  customers: [{ id: 'cust_1' }],
  rewards: [
    { id: 'rew_coin', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
  ],
  reward_assignments: [
    { id: 'rewa_coin', reward_id: 'rew_coin', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
};

async function shop(limit: number) {
  const { id, credentials: headers } = await loadProject({
    ...programme,
    vouchers: [
      {
        code: 'CARD',
        type: 'LOYALTY_CARD',
        active: true,
        campaign_id: 'camp_club',
        holder_id: 'cust_1',
        loyalty_card: { points: limit * 10, balance: limit * 10 },
      },
      { code: 'TEA', type: 'DISCOUNT_VOUCHER', active: true, discount: off, redemption: { quantity: limit } },
      { code: 'GIFT', type: 'GIFT_VOUCHER', active: true, gift: { amount: limit * 10, balance: limit * 10 } },
    ],
  });
  const weather = stormy(seeded(seed));
  proxy.run(weather);
  const storm = { endpoint: proxy.endpoint, tableName: fileTable(), headers, callers };
  return { id, storm, weather };
}

const redeeming = (redeemable: object): Ask => ({
  path: '/v1/redemptions',
  body: { redeemables: [{ object: 'voucher', ...redeemable }], order: { amount: 10_000 } },
});

interface Kind {
  readonly code: string;
  readonly limit: number;
  readonly ask: Ask;
  /** The error once nothing is left. */
  readonly refusal: string;
  /** Returns the redemptions that a reply shows. */
  readonly usedOf: (voucher: Answer['body']) => number;
}

const kinds: [string, Kind][] = [
  [
    'a code that everybody has',
    {
      code: 'TEA',
      limit: isLong ? longLimit : 20,
      ask: redeeming({ id: 'TEA' }),
      refusal: 'quantity_exceeded',
      usedOf: ({ redemption }) => redemption.redeemed_quantity,
    },
  ],
  [
    'a gift card',
    {
      code: 'GIFT',
      limit: isLong ? 100 : 20,
      ask: redeeming({ id: 'GIFT', gift: { credits: 10 } }),
      refusal: 'gift_amount_exceeded',
      usedOf: ({ redemption }) => redemption.redeemed_amount / 10,
    },
  ],
  [
    'a loyalty card',
    {
      code: 'CARD',
      limit: isLong ? 60 : 12,
      ask: redeeming({ id: 'CARD', reward: { id: 'rew_coin', points: 10 } }),
      refusal: 'loyalty_card_points_exceeded',
      usedOf: ({ redemption }) => redemption.redeemed_points / 10,
    },
  ],
];

const codeOf = (attempt: Answer | undefined) => attempt?.body?.redemptions?.[0]?.id;

// Each row starts several tills. A quick run tests the row with the most shared limit.
test.each(sampled(kinds, 1))('%s is used exactly as often as its limit allows', { timeout }, async (_, kind) => {
  const { code, limit, ask, refusal, usedOf } = kind;
  const { id, storm, weather } = await shop(limit);
  let looks = 0;
  const watch: Storm['watch'] = async (get) => {
    const seen = await get(`/v1/vouchers/${code}`);
    if (seen?.status !== 200) return;
    looks += 1;
    expect(usedOf(seen.body)).toBeLessThanOrEqual(limit);
  };
  const answers = await weathered({ ...storm, attempts: 2 * limit, ask: () => ask, watch });
  // Any other answer refuses for lack of uses, or says that its outcome is unknown.
  const refused = answers.filter(({ status }) => ![200, 429, 500].includes(status));
  expect(refused.filter(({ body }) => body.key !== refusal)).toEqual([]);
  expect(looks).toBeGreaterThan(0);

  await weather.deliver();
  proxy.run();
  const till = await startTill({ ...storm, laterByMs });
  const late: Answer[] = [];
  const rest = async () => {
    for (let isLeft = true; isLeft; ) {
      const answer = await asked(till, storm.headers, ask);
      if (!answer) throw new Error('the last till died');
      if (answer.status === 200) late.push(answer);
      isLeft = answer.status === 200 || answer.status === 429;
      if (!isLeft) expect(answer.body.key).toBe(refusal);
    }
  };
  await Promise.all(Array.from({ length: 4 }, rest));
  const shown = await asked(till, storm.headers, { path: `/v1/vouchers/${code}` });
  await till.kill();
  expect(usedOf(shown?.body)).toBe(limit);
  const redeemed = (await itemsOf(id, '', testDependencies())).filter(
    ({ kind, result, object }) => kind === 'REDEMPTION' && object === 'redemption' && result === 'SUCCESS',
  );
  expect(redeemed).toHaveLength(limit);
  const told = [...answers.filter(({ status }) => status === 200), ...late].map(codeOf);
  const ids = new Set(redeemed.map((item) => item.id));
  expect(told.filter((one) => !ids.has(one))).toEqual([]);
  expect(new Set(told).size).toBe(told.length);
});

test('sessions lock no more uses than exist', { timeout }, async () => {
  const limit = isLong ? 200 : 10;
  const { storm } = await shop(limit);
  const ask: Storm['ask'] = (attempt) => ({
    path: '/v1/validations',
    body: {
      redeemables: [{ object: 'voucher', id: 'TEA' }],
      order: { amount: 500 },
      session: { type: 'LOCK', key: `session-${attempt}` },
    },
  });
  const watch: Storm['watch'] = async (get) => {
    await get('/v1/vouchers/TEA');
  };
  const answers = await weathered({ ...storm, attempts: 3 * limit, ask, watch });
  const locked = answers.filter(({ body }) => body?.valid === true);
  expect(locked.length).toBeLessThanOrEqual(limit);
  expect(locked.length).toBeGreaterThan(limit / 2);
});
