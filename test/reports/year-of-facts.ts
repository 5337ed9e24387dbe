import { type Fact, makeFact } from '#addons/reports/facts/fact-tables.ts';
import { seeded } from '../support/seeded.ts';

/** Makes the facts of a shop's year: for each table, the number that is usual with this number of redemptions. */

const project = 'proj';
const dayInMs = 86_400_000;
const begin = Date.UTC(2026, 0, 1);
const [campaigns, categories, segments, tiers] = [40, 20, 10, 4];
/** A text as long as the random part of an id. */
const random = 'aQSAQNvPSrjwOwBg';

/** Makes the fact with this number. `at_ms` grows with the number through the year. */
type Make = (at: { readonly index: number; readonly at_ms: number }) => Fact;

interface Part {
  readonly count: number;
  readonly make: Make;
}

export function describeYear(redemptions: number): Part[] {
  const below = seeded(1);
  const share = (part: number) => Math.ceil(redemptions * part);
  const [codes, customers] = [share(0.5), share(0.25)];
  const unique = (prefix: string, index: number) =>
    `${prefix}_${index.toString(36).padStart(12, '0')}_${below(2 ** 30).toString(36)}${below(2 ** 30).toString(36)}`;
  const codeId = (index: number) => `v_${index.toString(36)}${random}`;
  const codeOf = (index: number) => `CODE-${index.toString(36)}`;
  const customerOf = (index: number) => `cust_${index.toString(36)}`;
  const anyCampaign = () => {
    const number = below(campaigns);
    return { campaign_id: `camp_${number}`, campaign_name: `Campaign ${number}` };
  };
  const inCategory = () => (below(3) === 0 ? `cat_${below(categories)}` : null);
  const state = (prefix: string, index: number, at_ms: number) => ({
    fact_id: unique(prefix, index),
    version: String(index).padStart(40, '0'),
    at_ms,
  });
  const tierOf = (number: number) => (number === 0 ? null : `tier_${number}`);

  const redemption: Make = ({ index, at_ms }) => {
    const id = unique('r', index);
    const code = below(codes);
    const discount_minor = below(3_000);
    const order_amount_minor = 3_000 + below(50_000);
    return makeFact('redemptions', project, {
      ...{ fact_id: id, at_ms, event: 'REDEMPTION', result: 'SUCCESS', failure_code: null },
      ...{ redemption_id: id, request_id: id, redeemable_type: 'voucher', redeemable_id: codeId(code) },
      ...{ code: codeOf(code), voucher_type: 'DISCOUNT_VOUCHER', ...anyCampaign() },
      ...{ customer_id: customerOf(below(customers)), order_id: `ord_${index.toString(36)}` },
      ...{ channel_type: 'API', channel_id: 'app_1', uses: 1, discount_minor, credits_minor: 0, points: 0 },
      ...{ order_amount_minor, order_total_minor: order_amount_minor - discount_minor },
    });
  };

  const refusal: Make = ({ index, at_ms }) =>
    makeFact('refusals', project, {
      ...{ fact_id: unique('log', index), at_ms, redeemable_type: 'voucher', redeemable_id: codeId(below(codes)) },
      ...{
        campaign_id: anyCampaign().campaign_id,
        failure_code: ['quantity_exceeded', 'voucher_expired'][below(2)] ?? '',
      },
    });

  const entry: Make = ({ index, at_ms }) => {
    const card = below(codes);
    const points = below(500) - 200;
    return makeFact('points', project, {
      ...{ fact_id: unique('vtx', index), at_ms, entry_number: index, card_id: codeId(card), code: codeOf(card) },
      ...{ type: points < 0 ? 'POINTS_REDEMPTION' : 'POINTS_ACCRUAL', ...anyCampaign() },
      ...{ order_id: `ord_${index.toString(36)}`, redemption_id: null, rollback_id: null, channel: 'API' },
      ...{ points, balance_points: 1_000, earning_rule_id: 'ern_1', reward_id: null, pending_points_id: null },
    });
  };

  const move: Make = ({ index, at_ms }) => {
    const to = 1 + below(tiers - 1);
    return makeFact('tier_moves', project, {
      ...{ fact_id: unique('move', index), at_ms, move: 'upgraded', card_id: codeId(below(codes)) },
      ...{ campaign_id: anyCampaign().campaign_id, from_tier_id: tierOf(to - 1), to_tier_id: tierOf(to) },
    });
  };

  const publication: Make = ({ index, at_ms }) => {
    const code = below(codes);
    return makeFact('publications', project, {
      ...{ fact_id: unique('pub', index), at_ms, publication_id: unique('pub', index), result: 'SUCCESS' },
      ...{ failure_code: null, ...anyCampaign(), code_id: codeId(code), code: codeOf(code) },
      ...{ voucher_type: 'DISCOUNT_VOUCHER', customer_id: customerOf(below(customers)), channel: 'API' },
    });
  };

  const order: Make = ({ index, at_ms }) => {
    const [amount_minor, discount_minor] = [3_000 + below(50_000), below(3_000)];
    return makeFact('orders', project, {
      ...{ ...state('order', index, at_ms), order_id: `ord_${index.toString(36)}`, status: 'PAID', paid_at_ms: at_ms },
      ...{ amount_minor, discount_minor, total_minor: amount_minor - discount_minor },
      ...{ customer_id: customerOf(below(customers)), redemptions: below(2), is_deleted: false },
    });
  };

  const code: Make = ({ index, at_ms }) => {
    const isCard = index % 10 === 0;
    return makeFact('codes', project, {
      ...{ ...state('code', index, at_ms), code_id: codeId(index), code: codeOf(index) },
      ...{ type: isCard ? 'LOYALTY_CARD' : 'DISCOUNT_VOUCHER', campaign_id: anyCampaign().campaign_id },
      ...{ opening_points: isCard ? 100 : null, gift_amount_minor: null, is_deleted: false },
      ...{ deleted_at_ms: null, left_points: null, category_id: inCategory() },
    });
  };

  const lot: Make = ({ index, at_ms }) => {
    const card_id = codeId(below(codes));
    const expires_on = `2027-${String(1 + below(12)).padStart(2, '0')}-28`;
    return makeFact('point_lots', project, {
      ...{ ...state('lot', index, at_ms), lot_id: `${card_id}.${expires_on}`, card_id, expires_on },
      ...{ campaign_id: anyCampaign().campaign_id, points: below(500) },
    });
  };

  const pending: Make = ({ index, at_ms }) =>
    makeFact('pending_points', project, {
      ...{ ...state('pending', index, at_ms), pending_points_id: unique('lopp', index), card_id: codeId(below(codes)) },
      ...{ campaign_id: anyCampaign().campaign_id, state: 'PENDING', points: below(500) },
    });

  const customer: Make = ({ index, at_ms }) =>
    makeFact('customers', project, {
      ...{ ...state('customer', index, at_ms), customer_id: customerOf(index), is_deleted: false },
    });

  const member: Make = ({ index, at_ms }) => {
    const segment_id = `seg_${below(segments)}`;
    return makeFact('segment_members', project, {
      ...{ ...state('member', index, at_ms), member_id: `${segment_id} ${customerOf(index)}`, segment_id },
      ...{ customer_id: customerOf(index), is_deleted: false },
    });
  };

  const campaign: Make = ({ index, at_ms }) =>
    makeFact('campaigns', project, {
      ...{ ...state('campaign', index, at_ms), campaign_id: `camp_${index}`, name: `Campaign ${index}` },
      ...{ category_id: inCategory(), is_deleted: false },
    });

  const category: Make = ({ index, at_ms }) =>
    makeFact('categories', project, {
      ...{ ...state('category', index, at_ms), category_id: `cat_${index}`, name: `Category ${index}` },
      is_deleted: false,
    });

  const segment: Make = ({ index, at_ms }) =>
    makeFact('segments', project, {
      ...{ ...state('segment', index, at_ms), segment_id: `seg_${index}`, name: `Segment ${index}` },
      ...{ type: 'static', is_deleted: false },
    });

  return [
    { count: redemptions, make: redemption },
    { count: codes, make: code },
    { count: share(0.5), make: entry },
    { count: share(0.5), make: lot },
    { count: share(0.5), make: order },
    { count: customers, make: customer },
    { count: customers, make: member },
    { count: share(0.25), make: publication },
    { count: share(0.1), make: refusal },
    { count: share(0.1), make: move },
    { count: share(0.05), make: pending },
    { count: campaigns, make: campaign },
    { count: categories, make: category },
    { count: segments, make: segment },
  ];
}

const batch = 20_000;

/** Yields the facts of a part in batches, as a stream brings them. */
export function* batchesOf({ count, make }: Part): Generator<Fact[]> {
  for (let from = 0; from < count; from += batch) {
    yield Array.from({ length: Math.min(batch, count - from) }, (_, at) => {
      const index = from + at;
      return make({ index, at_ms: begin + Math.floor((index / count) * 365 * dayInMs) });
    });
  }
}
