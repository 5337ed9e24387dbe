import type { RuleContext } from './context.ts';

/** Lists the counters of limits. They change in the transaction of a redemption, and rules see them with the attempted one. */

export type CounterPeriod = 'daily' | 'weekly' | 'monthly';

export interface Counter {
  /** The counter belongs to the campaign, or to the voucher or promotion tier alone. */
  readonly of: 'campaign' | 'redeemable';
  /** The counter is separate for each of these. */
  readonly per?: 'customer' | 'api_key' | 'user';
  /** The counter restarts with each calendar day, week (Monday) or month in UTC. */
  readonly period?: CounterPeriod;
  /** Returns the amount that the redemption adds. */
  readonly grows: (context: RuleContext) => number;
}

const one = () => 1;

function withPeriods(name: string, counter: Counter): [string, Counter][] {
  const periods = ['daily', 'weekly', 'monthly'] as const;
  return periods.map((period) => [`${name}.${period}`, { ...counter, period }]);
}

/** Counters by the names of their rules. */
export const counters: ReadonlyMap<string, Counter> = new Map<string, Counter>([
  ['campaign.orders.amount', { of: 'campaign', grows: ({ order }) => order?.amount ?? 0 }],
  [
    'campaign.orders.amount_discounted',
    { of: 'campaign', grows: ({ redemption }) => redemption?.discount_amount ?? 0 },
  ],
  ['campaign.redemptions.count', { of: 'campaign', grows: one }],
  ...withPeriods('campaign.redemptions.count', { of: 'campaign', grows: one }),
  ['campaign.redemptions.customers_count', { of: 'campaign', per: 'customer', grows: one }],
  ...withPeriods('campaign.redemptions.customers_count', { of: 'campaign', per: 'customer', grows: one }),
  ['redemption.gift.amount', { of: 'campaign', grows: ({ redemption }) => redemption?.gift_credits ?? 0 }],
  ...withPeriods('redemption.count', { of: 'redeemable', grows: one }),
  ['redemption.count.per_customer', { of: 'redeemable', per: 'customer', grows: one }],
  ...withPeriods('redemption.count.per_customer', { of: 'redeemable', per: 'customer', grows: one }),
  ['redemption.count.per_api_key', { of: 'redeemable', per: 'api_key', grows: one }],
  ['redemption.count.per_user', { of: 'redeemable', per: 'user', grows: one }],
]);

/** Adds the attempted redemption to a count. Never throws: the sum of two safe integers is a number. */
export function compileCount(name: string, { grows }: Counter): (context: RuleContext) => number {
  return (context) => (context.counts?.[name] ?? 0) + grows(context);
}
