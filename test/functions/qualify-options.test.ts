import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/qualifications/qualify.ts';
import { handler as assignHolders } from '../../functions/referrals/assign-holders.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const customer = { source_id: 'ada' };

function asking(headers: Record<string, string>) {
  return async (body: Record<string, unknown> = {}, { options = {}, status = 200 } = {}) => {
    const sent = { order: { amount: 10_000 }, customer, options: { limit: 50, ...options }, ...body };
    const reply = await caller(handler)({ headers, body: sent });
    expect([reply.status, reply.body.details ?? '']).toEqual([status, status === 200 ? '' : expect.any(String)]);
    const data: { id: string }[] = reply.body.redeemables?.data ?? [];
    return {
      body: reply.body,
      ids: data.map(({ id }) => id),
      // biome-ignore lint/suspicious/noExplicitAny: `caller` has checked the reply against its schema.
      of: (id: string): any => data.find((one) => one.id === id),
    };
  };
}

const coupons = { type: 'DISCOUNT_VOUCHER', discount: off(10) };
const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' };

/** Something of every kind that Ada may use. */
const fair = {
  categories: [
    { id: 'cat_a', name: 'A', hierarchy: 1 },
    { id: 'cat_b', name: 'B', hierarchy: 2 },
  ],
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_eve', source_id: 'eve' },
  ],
  campaigns: [
    {
      ...{ id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC', created_at: day(1) },
      metadata: { season: 'autumn' },
    },
    {
      ...{ id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', created_at: day(1) },
      ...{ voucher: coupons, category_id: 'cat_a', metadata: { season: 'spring' } },
    },
    {
      ...{ id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC', created_at: day(2) },
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 100 } },
    },
    {
      ...{ id: 'camp_mate', name: 'Mate', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC', created_at: day(3) },
      voucher: coupons,
    },
    club,
  ],
  promotion_tiers: [
    {
      ...{ id: 'promo_1', name: 'One', campaign_id: 'camp_promo', hierarchy: 1, created_at: day(4) },
      ...{ action: { discount: off(20) }, category_id: 'cat_a', banner: 'Look', metadata: { place: 'door' } },
    },
    {
      ...{ id: 'promo_2', name: 'Two', campaign_id: 'camp_promo', hierarchy: 2, created_at: day(5) },
      action: { discount: off(30) },
    },
  ],
  vouchers: [
    { code: 'OPEN', ...coupons, category_id: 'cat_b', metadata: { print: 7 }, created_at: day(6) },
    {
      code: 'CODE',
      ...coupons,
      discount: undefined,
      campaign_id: 'camp_codes',
      holder_id: 'cust_ada',
      created_at: day(7),
    },
    { code: 'MATE-EVE', ...coupons, campaign_id: 'camp_mate', holder_id: 'cust_eve', created_at: day(8) },
    { code: 'MATE-ADA', ...coupons, campaign_id: 'camp_mate', holder_id: 'cust_ada', created_at: day(8) },
    {
      ...{ code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500 }, campaign_id: 'camp_gifts' },
      ...{ holder_id: 'cust_ada', created_at: day(9) },
    },
    {
      ...{ code: 'CARD', type: 'LOYALTY_CARD', loyalty_card: { points: 800, balance: 500 }, campaign_id: 'camp_club' },
      ...{ holder_id: 'cust_ada', created_at: day(10) },
    },
  ],
};

const everything = [
  ...['CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN', 'promo_2', 'promo_1', 'camp_mate', 'camp_gifts', 'camp_codes'],
];

let headers: Record<string, string>;

beforeAll(async () => {
  ({ credentials: headers } = await loadProject(fair));
  const body = { holders: [{ id: 'cust_ada' }] };
  const { status } = await caller(assignHolders)({ headers, params: { memberId: 'MATE-EVE' }, body });
  expect(status).toBe(200);
});

const $is = (...values: string[]) => ({ conditions: { $is: values } });

describe('filters', () => {
  test('show everything where there are none', async () => {
    expect((await asking(headers)()).ids).toEqual(everything);
  });

  const rows: [name: string, filters: object, ...found: string[]][] = [
    ['category, also of the campaign', { category_id: $is('cat_a') }, 'CODE', 'promo_1', 'camp_codes'],
    [
      'no category',
      { category_id: { conditions: { $is_unknown: true } } },
      ...['CARD', 'GIFT', 'MATE-EVE'],
      'promo_2',
      ...['camp_mate', 'camp_gifts'],
    ],
    ['campaign', { campaign_id: $is('camp_promo') }, 'promo_2', 'promo_1'],
    ['a campaign itself', { campaign_id: $is('camp_gifts') }, 'GIFT', 'camp_gifts'],
    ['no campaign', { campaign_id: { conditions: { $is_unknown: true } } }, 'OPEN'],
    [
      'several campaigns',
      { campaign_id: { conditions: { $in: ['camp_club', 'camp_codes'] } } },
      'CARD',
      'CODE',
      'camp_codes',
    ],
    ['campaign type', { campaign_type: $is('PROMOTION') }, 'promo_2', 'promo_1'],
    [
      'other campaign types',
      { campaign_type: { conditions: { $in: ['LOYALTY_PROGRAM', 'REFERRAL_PROGRAM'] } } },
      'CARD',
      'MATE-EVE',
      'camp_mate',
    ],
    ['resource: a tier', { resource_id: $is('promo_2') }, 'promo_2'],
    ['resource: a campaign without what is of it', { resource_id: $is('camp_codes') }, 'camp_codes'],
    ['resource type campaign', { resource_type: $is('campaign') }, 'camp_mate', 'camp_gifts', 'camp_codes'],
    ['resource type tier', { resource_type: $is('promotion_tier') }, 'promo_2', 'promo_1'],
    ['resource type voucher', { resource_type: $is('voucher') }, 'CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN'],
    ['any but one resource type', { resource_type: { conditions: { $is_not: ['voucher'] } } }, ...everything.slice(5)],
    [
      'any but some resource types',
      { resource_type: { conditions: { $not_in: ['voucher', 'campaign'] } } },
      'promo_2',
      'promo_1',
    ],
    ['voucher type', { voucher_type: $is('LOYALTY_CARD') }, 'CARD'],
    ['voucher type, also of a campaign’s codes', { voucher_type: $is('GIFT_VOUCHER') }, 'GIFT', 'camp_gifts'],
    ['code', { code: $is('OPEN') }, 'OPEN'],
    ['a code', { code: { conditions: { $has_value: true } } }, 'CARD', 'GIFT', 'MATE-EVE', 'CODE', 'OPEN'],
    ['owner', { holder_role: $is('OWNER') }, 'CARD', 'GIFT', 'CODE'],
    ['referee', { holder_role: $is('REFEREE') }, 'MATE-EVE'],
    ['referrer, who may not use their own code', { holder_role: $is('REFERRER') }],
    ['nobody’s', { holder_role: { conditions: { $is_unknown: true } } }, ...everything.slice(4)],
    ['both of two', { resource_type: $is('voucher'), category_id: $is('cat_a') }, 'CODE'],
    [
      'both of two, said so',
      { junction: 'and', resource_type: $is('campaign'), category_id: $is('cat_a') },
      'camp_codes',
    ],
    [
      'one of two',
      { junction: 'or', resource_type: $is('promotion_tier'), code: $is('GIFT') },
      'GIFT',
      'promo_2',
      'promo_1',
    ],
    [
      'one of two that exclude each other',
      { junction: 'and', resource_type: $is('promotion_tier'), code: $is('GIFT') },
    ],
  ];

  test.each(rows)('by %s', async (_name, filters, ...found) => {
    expect((await asking(headers)({}, { options: { filters } })).ids).toEqual(found);
  });

  test('know a voucher as a resource by its id', async () => {
    const { body } = await caller(getVoucher)({ headers, params: { code: 'CODE' } });
    const { ids } = await asking(headers)({}, { options: { filters: { resource_id: $is(body.id) } } });
    expect(ids).toEqual(['CODE']);
  });

  test.each([
    ['resource_type', 'promotion_tier'],
    ['campaign_id', 'camp_promo'],
    ['campaign_type', 'PROMOTION'],
  ])('by %s pass over standalone codes, however many are newer', async (field, value) => {
    const codes = Array.from({ length: 60 }, (_, index) => ({
      code: `CODE-${index}`,
      ...coupons,
      created_at: day(20),
    }));
    const { promotion_tiers, categories } = fair;
    const { credentials } = await loadProject({
      campaigns: fair.campaigns.slice(0, 1),
      promotion_tiers,
      categories,
      vouchers: codes,
    });
    const ask = asking(credentials);
    for (const filters of [
      { [field]: $is(value) },
      { junction: 'or', [field]: $is(value), holder_role: $is('OWNER') },
    ]) {
      const { ids, body } = await ask({ customer: undefined }, { options: { limit: 2, filters } });
      expect([ids, body.redeemables.has_more]).toEqual([['promo_2', 'promo_1'], false]);
    }
    // What standalone codes may fit is looked for among them.
    const { ids } = await ask(
      { customer: undefined },
      { options: { filters: { junction: 'or', [field]: $is(value), code: $is('CODE-7') } } },
    );
    expect(ids).toContain('CODE-7');
  });

  test.each([
    [{ color: $is('red') }, 'color'],
    [{ code: { conditions: { $near: ['OPEN'] } } }, '$near'],
    [{ junction: 'xor', code: $is('OPEN') }, 'junction'],
    [{ code: { conditions: {} } }, 'code'],
  ])('that are not understood are refused: %o', async (filters, place) => {
    const { body } = await asking(headers)({}, { options: { filters }, status: 400 });
    expect(body.key).toBe('invalid_payload');
    expect(body.details).toContain(place);
  });
});

describe('expand', () => {
  const extra = ['metadata', 'categories', 'name', 'banner', 'campaign_id', 'campaign_name'];

  test('without it, entries are told by their ids alone', async () => {
    const { body } = await asking(headers)();
    for (const one of body.redeemables.data) expect(Object.keys(one).filter((key) => extra.includes(key))).toEqual([]);
  });

  const described: [id: string, said: object][] = [
    [
      'promo_1',
      {
        name: 'One',
        banner: 'Look',
        metadata: { place: 'door' },
        ...{ campaign_id: 'camp_promo', campaign_name: 'Promo' },
      },
    ],
    ['promo_2', { name: 'Two', metadata: {}, campaign_id: 'camp_promo', campaign_name: 'Promo' }],
    ['OPEN', { metadata: { print: 7 } }],
    ['CODE', { metadata: {}, campaign_id: 'camp_codes', campaign_name: 'Codes' }],
    [
      'camp_codes',
      { name: 'Codes', metadata: { season: 'spring' }, campaign_id: 'camp_codes', campaign_name: 'Codes' },
    ],
    ['camp_gifts', { name: 'Gifts', metadata: {}, campaign_id: 'camp_gifts', campaign_name: 'Gifts' }],
  ];

  test.each(described)('redeemable says what %s is', async (id, said) => {
    const { of } = await asking(headers)({}, { options: { expand: ['redeemable'] } });
    expect(Object.fromEntries(Object.entries(of(id)).filter(([key]) => extra.includes(key)))).toEqual(said);
  });

  test.each([
    ['promo_1', 'cat_a'],
    ['promo_2', undefined],
    ['OPEN', 'cat_b'],
    ['CODE', 'cat_a'],
    ['camp_codes', 'cat_a'],
    ['CARD', undefined],
  ])('category says the one of %s', async (id, category) => {
    const { of } = await asking(headers)({}, { options: { expand: ['category'] } });
    expect(of(id).categories).toMatchObject(category ? [{ id: category, object: 'category' }] : []);
    expect(of(id).categories).toHaveLength(category ? 1 : 0);
  });
});

describe('deals', () => {
  const tiers = [200, 100, 200, 50].map((amount, index) => ({
    ...{ id: `promo_${index + 1}`, name: `Tier ${index + 1}`, campaign_id: 'camp_promo', hierarchy: index + 1 },
    ...{ action: { discount: off(amount) }, created_at: day(index + 1) },
  }));

  test.each([
    ['BEST_DEAL', ['promo_3', 'promo_1', 'promo_2', 'promo_4']],
    ['LEAST_DEAL', ['promo_4', 'promo_2', 'promo_3', 'promo_1']],
    ['DEFAULT', ['promo_4', 'promo_3', 'promo_2', 'promo_1']],
  ])('%s sorts, of equal ones the newest first', async (sorting_rule, order) => {
    const [promo] = fair.campaigns;
    const { credentials } = await loadProject({ campaigns: [promo], promotion_tiers: tiers });
    const ask = asking(credentials);
    expect((await ask({ customer: undefined }, { options: { sorting_rule } })).ids).toEqual(order);
    const { ids, body } = await ask({ customer: undefined }, { options: { sorting_rule, limit: 2 } });
    expect(ids).toEqual(order.slice(0, 2));
    expect(body.redeemables).toMatchObject({ total: 2, has_more: true });
    expect('more_starting_after' in body.redeemables).toBe(sorting_rule === 'DEFAULT');
  });
});
