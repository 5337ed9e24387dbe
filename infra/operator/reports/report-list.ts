/** Lists the reports of the command. Each has a query of its name in infra/reports/. */

export interface Report {
  readonly words: string;
  /** The dimensions of a report that has some, the default first. */
  readonly by?: readonly string[];
  /** Orders of the rows besides the order by the first column. */
  readonly orders?: readonly string[];
  /** Tables whose facts after the range count, too. */
  readonly readsLater?: readonly string[];
  /** The report reads all facts before the end of the range, because balances begin with the first fact. */
  readonly readsHistory?: true;
}

export const reports = {
  redemptions: {
    words: 'redemptions, discount, credits, points and redeemed orders',
    by: ['day', 'campaign', 'promotion_tier', 'code', 'voucher_type', 'channel', 'customer', 'failure'],
    orders: ['-discount_minor', '-uses'],
  },
  orders: { words: 'orders and revenue, with and without a promotion, by the day of the order' },
  points: { words: 'points of loyalty programmes by day, with the outstanding points', readsHistory: true },
  tiers: { words: 'members that entered and left each tier, by day' },
  pending: { words: 'pending points by the day they were earned: still pending, activated or canceled' },
  cohorts: {
    words: 'customers by the month they joined, and how many redeemed in each month since',
    readsLater: ['redemptions'],
  },
  publications: { words: 'published codes of each campaign, and codes redeemed since', readsLater: ['redemptions'] },
} as const satisfies Readonly<Record<string, Report>>;

export type ReportName = keyof typeof reports;
