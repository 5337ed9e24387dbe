import { makeFact } from '#addons/reports/facts/fact-tables.ts';

/** Makes the fact of a redemption that differs from a usual one in some columns. */
export function redemption(
  id: string,
  more: Partial<Parameters<typeof makeFact<'redemptions'>>[2]> = {},
  project = 'proj',
) {
  return makeFact('redemptions', project, {
    fact_id: id,
    at_ms: Date.parse('2026-06-01T23:30:00.000Z'),
    event: 'REDEMPTION',
    result: 'SUCCESS',
    failure_code: null,
    redemption_id: id,
    request_id: id,
    redeemable_type: 'voucher',
    redeemable_id: 'v_1',
    code: 'CODE',
    voucher_type: 'DISCOUNT_VOUCHER',
    campaign_id: null,
    campaign_name: null,
    customer_id: null,
    order_id: null,
    channel_type: 'API',
    channel_id: 'app',
    uses: 1,
    discount_minor: 500,
    credits_minor: 0,
    points: 0,
    order_amount_minor: 2_000,
    order_total_minor: 1_500,
    ...more,
  });
}
