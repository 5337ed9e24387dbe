import fc from 'fast-check';
import { optional } from '../../../../support/arbitrary-carts.ts';
import { card, programme } from '../../../../support/loyalty.ts';

/** A shop with little of everything, and the events that may happen in it. */

export const codes = ['FEW', 'GIFT', 'CARD'] as const;
export type Code = (typeof codes)[number];
export const had = { FEW: 3, GIFT: 1_000, CARD: 300 };
export const spare = 200;
const mugCosts = 40;
export const mugs = 3;

export const lists = {
  customers: [{ id: 'cust_ada' }, { id: 'cust_bo' }],
  campaigns: [programme('camp_club')],
  vouchers: [
    {
      ...{ code: 'FEW', type: 'DISCOUNT_VOUCHER', active: true, redemption: { quantity: had.FEW } },
      discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
    },
    { code: 'GIFT', type: 'GIFT_VOUCHER', active: true, gift: { amount: had.GIFT, balance: had.GIFT } },
    card('CARD', had.CARD, { holder_id: 'cust_ada' }),
    card('SPARE', spare, { holder_id: 'cust_bo' }),
  ],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [
    { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } }, stock: mugs },
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: ['mug', 'coin'].map((name) => ({
    ...{ id: `rewa_${name}`, reward_id: `rew_${name}` },
    ...{ related_object_type: 'campaign', related_object_id: 'camp_club' },
    ...(name === 'mug' ? { parameters: { loyalty: { points: mugCosts } } } : {}),
  })),
};

/** The amount for each code. A card pays for the order or for a mug. */
const use = fc
  .record({
    FEW: optional(fc.constant(1)),
    GIFT: optional(fc.integer({ min: 1, max: 400 })),
    CARD: optional(fc.integer({ min: 1, max: 150 })),
    isForMug: fc.boolean(),
  })
  .map(({ isForMug, ...all }) => {
    const isMug = isForMug && all.CARD !== undefined;
    return { ...all, ...(isMug ? { CARD: mugCosts } : {}), isMug };
  })
  .filter((all) => codes.some((code) => all[code] !== undefined));
export type Used = typeof use extends fc.Arbitrary<infer U> ? U : never;

const session = fc.constantFrom('till-1', 'till-2', 'till-3');
export const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('validate' as const),
      use,
      session: optional(session),
      minutes: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('redeem' as const), use, session: optional(session) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rollBack' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('end' as const), code: fc.constantFrom(...codes), session }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      code: fc.constantFrom('GIFT' as const, 'CARD' as const),
      amount: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: -400, max: -1 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: fc.constantFrom('CARD' as const, 'SPARE' as const),
      points: fc.integer({ min: 1, max: 150 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), code: fc.constantFrom(...codes) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew' as const), code: fc.constantFrom(...codes) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 45 }) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
