import fc from 'fast-check';
import { assignedReward, earningRule } from '../../../support/lists.ts';
import { programme } from '../../../support/loyalty.ts';

export const cards = Array.from({ length: 10 }, (_, index) => `CARD-${index}`);
export const earnedAtOnce = 25;
export const earnedPending = 40;
const pendingDays = 20;
export const startedWith = 1_000;
export const joinedWith = 15;
const joiners = 4;
export const mugCosts = 30;
export const earnedByRising = 5;

const cardIndex = fc.nat({ max: cards.length - 1 });
const points = fc.integer({ min: 1, max: 120 });
const daysOfLots = [null, '2026-06-20', '2026-07-05', '2026-08-31', '2026-12-31'];

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      to: cardIndex,
      from: fc.array(fc.record({ card: cardIndex, points }), { minLength: 1, maxLength: 3 }),
      /** The call to the table at which the request breaks off, before or after the table has done it. */
      breaks: fc.option(fc.record({ at: fc.integer({ min: 1, max: 8 }), after: fc.boolean() })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), which: fc.nat(), more: fc.nat({ max: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      card: cardIndex,
      points: fc.integer({ min: -300, max: 300 }).filter((by) => by !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('earn' as const), card: cardIndex, pending: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('balance' as const),
      card: cardIndex,
      points: fc.integer({ min: -150, max: 150 }).filter((by) => by !== 0),
      /** Days until they expire: `null` for never, missing for the programme's rule. */
      days: fc.option(fc.option(fc.nat({ max: 400 })), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      card: cardIndex,
      by: fc.constantFrom('activate' as const, 'cancel' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      who: fc.nat({ max: joiners - 1 }),
      source: fc.option(fc.nat({ max: joiners - 1 }), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('redeem' as const), card: cardIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

export const story = fc.record({
  lots: fc.array(
    fc.array(fc.record({ points: fc.nat({ max: 100 }), expires: fc.constantFrom(...daysOfLots) }), { maxLength: 3 }),
    {
      minLength: cards.length,
      maxLength: cards.length,
    },
  ),
  /** All steps of one round happen simultaneously. */
  rounds: fc.array(
    fc.record({ days: fc.integer({ min: 0, max: 140 }), commands: fc.array(command, { minLength: 3, maxLength: 8 }) }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
});

export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
export type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

/** The project in which stories happen. */
export const lists = {
  campaigns: [
    programme('camp_club', {
      type: 'AUTO_UPDATE',
      voucher: {
        type: 'LOYALTY_CARD',
        loyalty_card: {
          points: joinedWith,
          expiration_rules: { period_type: 'MONTH', period_value: 1, rounding_type: 'END_OF_MONTH' },
        },
      },
      loyalty_tiers_expiration: {
        qualification_type: 'BALANCE',
        expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } },
      },
    }),
  ],
  loyalty_tiers: [
    { id: 'low', name: 'Low', campaign_id: 'camp_club', points: { from: 50, to: 149 } },
    { id: 'high', name: 'High', campaign_id: 'camp_club', points: { from: 150 } },
  ],
  event_schema: ['bought', 'reviewed'].map((name) => ({ name, metadata: {} })),
  earning_rules: [
    earningRule('ern_1', 'bought', { type: 'FIXED', points: earnedAtOnce }),
    earningRule(
      'ern_2',
      'reviewed',
      { type: 'FIXED', points: earnedPending },
      { pending_points: { days: pendingDays } },
    ),
    earningRule(
      'ern_rising',
      'customer.loyalty.tier.upgraded',
      { type: 'FIXED', points: earnedByRising },
      { loyalty_tier: { id: '__ANY__' } },
    ),
  ],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }],
  reward_assignments: [assignedReward('rewa_mug', 'rew_mug', mugCosts)],
  customers: cards.map((code) => ({ id: `cust_${code}` })),
  pending_points: cards.map((code) => ({ id: `lopp_${code}`, code, points: startedWith, state: 'PENDING' })),
};
