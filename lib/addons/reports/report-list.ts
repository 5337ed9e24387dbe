/** Lists the reports. Each has a query of its name in infra/reports/. */

/** Parameters that some reports accept besides the range, the order and the page. */
type Option = 'by' | 'campaign_id' | 'budget' | 'until';

export interface Report {
  readonly words: string;
  /** The dimensions of a report, if it has any, the default first. */
  readonly by?: readonly string[];
  readonly takes?: readonly Option[];
  /** Orders of the rows besides the usual order. */
  readonly orders?: readonly string[];
  /** Tables whose facts after the range also count. */
  readonly readsLater?: readonly string[];
  /** Tables whose facts count regardless of their time. */
  readonly readsWhole?: readonly string[];
  /** The report reads all facts before the end of the range, because balances begin with the first fact. */
  readonly readsHistory?: true;
}

export const reports = {
  redemptions: {
    words: 'redemptions, discount, credits, points and redeemed orders',
    by: ['day', 'campaign', 'promotion_tier', 'code', 'voucher_type', 'channel', 'customer', 'failure'],
    takes: ['by', 'campaign_id'],
    orders: ['-discount_minor', '-uses'],
  },
  categories: {
    words: 'redemptions, discount, credits, points and redeemed orders, by the category of voucher, tier or campaign',
    takes: ['campaign_id'],
    orders: ['-discount_minor', '-uses'],
    readsWhole: ['codes', 'promotion_tiers', 'campaigns', 'categories'],
  },
  segments: {
    words: 'redemptions, discount, credits, points and redeemed orders, by the segments of customers',
    takes: ['campaign_id'],
    orders: ['-discount_minor', '-uses'],
    readsWhole: ['segments', 'segment_members'],
  },
  refusals: {
    words: 'refused validations and failed redemptions, by reason, day, campaign or code',
    by: ['reason', 'day', 'campaign', 'code'],
    takes: ['by', 'campaign_id'],
    orders: ['-refusals'],
    readsWhole: ['codes'],
  },
  orders: { words: 'orders and revenue, with and without a promotion, by the day of the order' },
  budget: {
    words: 'discount of each campaign, and a forecast with its error',
    takes: ['campaign_id', 'budget', 'until'],
  },
  bursts: {
    words: 'codes by the most redemptions in ten minutes, with their customers and failures',
    takes: ['campaign_id'],
  },
  points: {
    words: 'points of loyalty programmes by day, with the outstanding points',
    takes: ['campaign_id'],
    readsHistory: true,
  },
  expiry: {
    words: 'points that cards hold now, by the month in which they expire',
    takes: ['campaign_id'],
    readsWhole: ['point_lots'],
  },
  tiers: { words: 'members that entered and left each tier, by day', takes: ['campaign_id'] },
  members: {
    words: 'members of each tier at the end of days with moves',
    takes: ['campaign_id'],
    readsHistory: true,
  },
  pending: {
    words: 'pending points by the day they were earned: still pending, activated or canceled',
    takes: ['campaign_id'],
  },
  cohorts: {
    words: 'customers by the month they joined, and how many redeemed in each month since',
    takes: ['campaign_id'],
    readsLater: ['redemptions'],
  },
  publications: {
    words: 'published codes of each campaign, and codes redeemed since',
    takes: ['campaign_id'],
    readsLater: ['redemptions'],
  },
} as const satisfies Readonly<Record<string, Report>>;

export type ReportName = keyof typeof reports;

export function isReport(name: string): name is ReportName {
  return Object.hasOwn(reports, name);
}
