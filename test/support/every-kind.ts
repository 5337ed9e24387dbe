import { campaignEntry, giftCampaign, giftVoucher } from './lists.ts';
import { programme } from './loyalty.ts';

/** A project with every kind of resource that files bring, and the same project without them. */

const coupon = (discount: object) => ({ type: 'DISCOUNT_VOUCHER', discount });

/** Resources that vouchers and customers refer to. An import does not bring them. */
export const terms = {
  categories: [{ id: 'cat_1', name: 'Paper; glue, ink', hierarchy: 1 }],
  validation_rules: [{ id: 'val_1', name: 'Any' }],
  products: [{ id: 'prod_free', source_id: 'free', name: 'Free' }],
  campaigns: [
    campaignEntry('camp_sale', 'Sale', 'DISCOUNT_COUPONS', {
      start_date: '2026-01-01T00:00:00Z',
      voucher: { ...coupon({ type: 'PERCENT', percent_off: 10 }), redemption: { quantity: 3 } },
    }),
    giftCampaign('camp_gift', 'Gift', { amount: 700 }),
    programme('camp_club', { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } } }),
  ],
};

const created_at = '2025-03-04T05:06:07.008Z';
const later = { created_at, updated_at: '2025-05-06T07:08:09.010Z' };

const customers = [
  {
    id: 'cust_1',
    source_id: 'ana',
    name: '=Ana',
    email: 'ana@mail.example',
    phone: '+47 1',
    description: "'=not a formula",
    birthdate: '1990-02-03',
    address: { city: 'Oslo', line_1: 'Quay 1, "B"', postal_code: '0150' },
    metadata: { points: 5, 'first roast': 'light', list: ['a', 1], empty: null },
    summary: {
      redemptions: {
        total_redeemed: 7,
        total_failed: 2,
        total_succeeded: 5,
        total_rolled_back: 1,
        total_rollback_failed: 0,
        total_rollback_succeeded: 1,
      },
      orders: {
        total_amount: 12_345,
        total_count: 3,
        average_amount: 4_115,
        last_order_amount: 99,
        last_order_date: created_at,
      },
    },
    loyalty: { referred_customers: 4 },
    ...later,
  },
  { id: 'cust_2', name: 'Nobody', created_at },
];

const products = [
  {
    id: 'prod_1',
    source_id: 'cup',
    name: 'Cup',
    price: 1_250,
    attributes: ['size, big', 'colour'],
    metadata: { shelf: 3 },
    image_url: 'https://a.example',
    ...later,
  },
  { id: 'prod_2', name: 'Mug', price: 5, created_at },
];

const skus = [
  {
    id: 'sku_1',
    source_id: 'cup-s',
    product_id: 'prod_1',
    sku: 'Small',
    price: 305,
    currency: 'EUR',
    attributes: { size: 'S' },
    metadata: { deep: { a: [1] } },
    ...later,
  },
  { id: 'sku_2', product_id: 'prod_2', created_at },
];

const vouchers = [
  {
    code: 'AMOUNT',
    ...coupon({ type: 'AMOUNT', amount_off: 1_250, aggregated_amount_limit: 5_000, effect: 'APPLY_TO_ITEMS' }),
    category: 'Paper; glue, ink',
    start_date: '2026-02-01T00:00:00.000Z',
    expiration_date: '2030-01-31T10:30:00.000Z',
    validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    validity_day_of_week: [1, 2],
    validity_hours: { daily: [{ start_time: '09:00', expiration_time: '12:00', days_of_week: [1] }] },
    redemption: { quantity: 3, redeemed_quantity: 2 },
    active: false,
    additional_info: '- found; "quoted"\r\nhere',
    metadata: { shelf: 'left', n: 1.5, 'a.b': null },
    ...later,
  },
  {
    code: 'USED',
    ...coupon({ type: 'PERCENT', percent_off: 12.5, amount_limit: 999, aggregated_amount_limit: 4_000 }),
    redemption: { quantity: 1, redeemed_quantity: 1 },
  },
  { code: '=FIXED', ...coupon({ type: 'FIXED', fixed_amount: 999, fixed_amount_formula: 'ORDER_AMOUNT / 2' }) },
  { code: 'UNIT', ...coupon({ type: 'UNIT', unit_off: 2, unit_type: 'prod_free', effect: 'ADD_NEW_ITEMS' }) },
  {
    code: 'UNITS',
    ...coupon({
      type: 'UNIT',
      effect: 'ADD_MANY_ITEMS',
      units: [
        { unit_off: 1, unit_type: 'prod_free', effect: 'ADD_NEW_ITEMS' },
        { unit_off: 3, unit_type: 'prod_free', effect: 'ADD_MISSING_ITEMS' },
      ],
    }),
  },
  giftVoucher(
    'GIFT',
    { amount: 2_500, balance: 500, effect: 'APPLY_TO_ITEMS' },
    { redemption: { quantity: null, redeemed_quantity: 2, redeemed_amount: 2_000 }, holder_id: 'cust_1' },
  ),
  giftVoucher('TAKEN', { amount: 2_500, balance: 400 }, { redemption: { redeemed_quantity: 0, redeemed_amount: 0 } }),
  {
    code: 'SALE',
    ...coupon({ type: 'PERCENT', percent_off: 10 }),
    campaign: 'Sale',
    redemption: { quantity: 3, redeemed_quantity: 3 },
  },
  {
    code: 'SALE-2',
    ...coupon({ type: 'AMOUNT', amount_off: 5 }),
    campaign: 'Sale',
    redemption: { quantity: null },
    holder_id: 'cust_2',
    publish: { count: 1 },
  },
  giftVoucher(
    'OF-CAMPAIGN',
    { amount: 700, balance: 0 },
    { campaign: 'Gift', redemption: { redeemed_quantity: 1, redeemed_amount: 700 } },
  ),
  {
    code: 'CARD',
    type: 'LOYALTY_CARD',
    campaign: 'camp_club',
    holder_id: 'cust_1',
    loyalty_card: {
      points: 300,
      balance: 120,
      expired_points: 30,
      lots: [
        { points: 100, expires: '2999-01-01' },
        { points: 20, expires: null },
      ],
    },
    redemption: { redeemed_quantity: 4, redeemed_points: 140 },
  },
  {
    code: 'CARD-0',
    type: 'LOYALTY_CARD',
    campaign: 'camp_club',
    loyalty_card: { points: 50, balance: 0 },
    redemption: { redeemed_quantity: 1, redeemed_points: 50 },
  },
];

/** Vouchers with the defaults that requests add. */
const made = vouchers.map((one) => ({ active: true, is_referral_code: one.code === 'USED', ...one }));

export const whole = { ...terms, customers, products: [...terms.products, ...products], skus, vouchers: made };
