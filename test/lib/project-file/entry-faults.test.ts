import { expect, test } from 'vitest';
import { faultsOf, projectFile } from '../../support/project.ts';

const validity_timeframe = { interval: 'P2D', duration: 'P1D' };
const start_date = '2026-01-01T00:00:00Z';
const backwards = { start_date: '2026-02-01T00:00:00Z', expiration_date: start_date };
const needsStart = 'needs a start_date, from which its periods count';
const beforeStart = 'must not be before start_date';
const most = Number.MAX_SAFE_INTEGER;
const tooMuch = `adds up to more than ${most} with what came before it for the same card or holder`;
const isLong = 'must have at most 300 characters';
const isLarge = 'must have at most 51200 bytes as JSON';
const isText = 'must have at most 5000 characters';
const noOrigin = 'must be an origin as browsers send it, such as https://shop.example or http://localhost:8080';

const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
const other = { ...club, id: 'camp_other', name: 'Other' };
const promotion = { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' };
const coupons = { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };
const friends = { id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC' };
const started = { ...promotion, id: 'camp_2', name: 'Two', start_date };
const startedVouchers = { ...started, voucher: { type: 'DISCOUNT_VOUCHER', validity_timeframe } };
const coupon = { code: 'A', type: 'DISCOUNT_VOUCHER' };
const card = (code: string, points: number) => ({ code, type: 'LOYALTY_CARD', loyalty_card: { points } });
const gift = (code: string, amount: number) => ({ code, type: 'GIFT_VOUCHER', gift: { amount }, holder_id: 'cust_1' });
const tier = { campaign_id: 'camp_club', hierarchy: 1, name: 'T' };
const level = (from: number, to?: number) => ({ name: `From ${from}`, campaign_id: 'Club', points: { from, to } });
const referral = { ...coupon, campaign: 'Friends', is_referral_code: true };
const coin = { exchange_ratio: 1, points_ratio: 10 };
const reward = { name: 'Mug', type: 'MATERIAL', parameters: {} };
const measured = (metadata_key: string, more: object = {}) => ({
  campaign_id: 'Club',
  event: 'bought',
  active: true,
  loyalty: { type: 'PROPORTIONAL', metadata_key, points: 1, every: 1 },
  ...more,
});
const event_schema = [{ name: 'bought', metadata: { amount: 'number', where: 'string' } }];
const fixed = { type: 'CUSTOM', points: 1 };
const key = { client_application_id: 'c', name: 'C', client_token: 'token-of-a-client-key' };
const name = '🎟'.repeat(301);
const metadata = { text: 'x'.repeat(52_000) };

const activity = (customer: object, more: object = {}, data: object = {}) => ({
  type: 'customer.confirmed',
  data: { data: { customer, ...data } },
  ...more,
});

const held = {
  customers: [{ id: 'cust_1' }],
  campaigns: [club],
  vouchers: [
    { ...card('A', most), holder_id: 'cust_1' },
    { ...card('B', 1), holder_id: 'cust_1', redemption: { redeemed_points: most } },
    { ...card('C', most - 3), redemption: { redeemed_points: most } },
    gift('G', most),
    gift('H', 2),
  ],
  pending_points: [
    { code: 'C', points: 3 },
    { code: 'C', points: 9, state: 'CANCELED' },
    { code: 'C', points: 1 },
  ],
};

/** What a file has, and each fault that it is refused for; none where it is right. */
const rows: [string, Record<string, unknown>, string[]][] = [
  [
    'a timeframe without a start from which it could count',
    {
      campaigns: [
        { ...promotion, validity_timeframe },
        { ...club, voucher: { type: 'LOYALTY_CARD', validity_timeframe } },
      ],
      promotion_tiers: [{ ...tier, validity_timeframe }],
      vouchers: [{ ...coupon, validity_timeframe }],
    },
    [
      `campaigns[0].validity_timeframe ${needsStart}`,
      `campaigns[1].voucher.validity_timeframe ${needsStart}`,
      `promotion_tiers[0].validity_timeframe ${needsStart}`,
      `vouchers[0].validity_timeframe ${needsStart}`,
    ],
  ],
  [
    'a timeframe of a voucher that neither it nor its campaign starts',
    {
      campaigns: [startedVouchers],
      vouchers: [
        { ...coupon, validity_timeframe },
        { ...coupon, code: 'B', validity_timeframe, campaign: 'Two' },
        { ...coupon, code: 'C', validity_timeframe, start_date },
      ],
    },
    [`vouchers[0].validity_timeframe ${needsStart}`],
  ],
  [
    'an end before the start',
    {
      campaigns: [{ ...promotion, ...backwards, voucher: { type: 'DISCOUNT_VOUCHER', ...backwards } }, club],
      promotion_tiers: [{ ...tier, ...backwards }],
      vouchers: [{ ...coupon, ...backwards }],
    },
    ['campaigns[0]', 'campaigns[0].voucher', 'promotion_tiers[0]', 'vouchers[0]'].map(
      (place) => `${place}.expiration_date ${beforeStart}`,
    ),
  ],
  [
    'pending points below 1',
    { vouchers: [card('A', 10)], pending_points: [0, -5, 1].map((points) => ({ code: 'A', points })) },
    [0, 1].map((index) => `pending_points[${index}].points must be 1 or more`),
  ],
  [
    'points, amounts and counts that add up to more than a safe integer for a card or a customer',
    held,
    [
      `vouchers[1].loyalty_card.balance ${tooMuch}`,
      `vouchers[4].gift.balance ${tooMuch}`,
      `pending_points[2].points ${tooMuch}`,
    ],
  ],
  [
    'nothing, where each sum is a safe integer',
    {
      ...held,
      vouchers: [held.vouchers[0], held.vouchers[2], gift('G', most)],
      pending_points: held.pending_points.slice(0, 2),
    },
    [],
  ],
  [
    'customers referred before, with those that the service has counted, beyond the safe integers',
    { customers: [{ id: 'c', loyalty: { referred_customers: most }, referred_customers: 1 }] },
    [
      'customers[0].loyalty.referred_customers must be an integer that stays one when what the service has counted is added',
    ],
  ],
  [
    'a reward with what another type of reward gives',
    {
      rewards: [
        { ...reward, parameters: { coin } },
        { name: 'Pay', type: 'COIN', parameters: { coin, product: { id: 'p' } } },
        { name: 'Pay', type: 'COIN', parameters: { coin } },
      ],
    },
    [
      'rewards[0].parameters.coin must not be there: a MATERIAL reward has a product only',
      'rewards[1].parameters.product must not be there: a COIN reward has a coin only',
    ],
  ],
  [
    "a loyalty tier's reward or earning rule of another campaign",
    {
      campaigns: [club, other],
      event_schema,
      earning_rules: ['Club', 'camp_other'].map((campaign_id) =>
        measured('amount', { id: `ern_${campaign_id}`, campaign_id }),
      ),
      rewards: [{ ...reward, id: 'rew_1' }],
      reward_assignments: ['camp_club', 'Other'].map((related_object_id) => ({
        id: `rewa_${related_object_id}`,
        reward_id: 'rew_1',
        related_object_id,
        related_object_type: 'campaign',
      })),
      loyalty_tiers: [
        {
          ...level(0),
          earning_rules: { ern_Club: fixed, ern_camp_other: fixed },
          rewards: { rewa_camp_club: fixed, rewa_Other: fixed },
        },
      ],
    },
    [
      'loyalty_tiers[0].earning_rules.ern_camp_other is an earning rule of another campaign',
      'loyalty_tiers[0].rewards.rewa_Other is a reward assignment of another campaign',
    ],
  ],
  [
    'a loyalty tier that ends below its begin',
    { campaigns: [club], loyalty_tiers: [level(5, 4), level(5, 5)] },
    ['loyalty_tiers[0].points.to must not be below from'],
  ],
  [
    'a loyalty tier of a campaign that is no loyalty programme',
    { campaigns: [coupons], loyalty_tiers: [{ ...level(0), campaign_id: 'Coupons' }] },
    ['loyalty_tiers[0].campaign_id names a campaign that is no loyalty programme'],
  ],
  [
    'a loyalty card in such a campaign, or with a discount',
    {
      campaigns: [coupons, club],
      vouchers: [
        { ...card('A', 1), campaign: 'Coupons' },
        { ...card('B', 1), campaign: 'Club', discount: { type: 'AMOUNT', amount_off: 1 } },
        card('C', 1),
      ],
    },
    [
      'vouchers[0].type must not be LOYALTY_CARD, for its campaign is no loyalty programme',
      'vouchers[1].discount must not be there, being that of a LOYALTY_CARD',
    ],
  ],
  [
    'more redemptions than a voucher has',
    {
      vouchers: [
        { ...coupon, redemption: { quantity: 1, redeemed_quantity: 2 } },
        { ...coupon, code: 'B', redemption: { quantity: null, redeemed_quantity: 2 } },
        { ...coupon, code: 'C', redemption: { quantity: 2, redeemed_quantity: 2 } },
      ],
    },
    ['vouchers[0].redemption.redeemed_quantity must not be above its quantity'],
  ],
  [
    'an earning rule that measures what is no number of its event',
    { campaigns: [club], event_schema, earning_rules: ['amount', 'where', 'weight'].map((field) => measured(field)) },
    [1, 2].map((index) => `earning_rules[${index}].loyalty.metadata_key must be a number of the event in event_schema`),
  ],
  [
    'a gift balance above its amount',
    {
      campaigns: [
        {
          ...club,
          campaign_type: 'GIFT_VOUCHERS',
          voucher: { type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 501 } },
        },
      ],
      vouchers: [
        { code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 501 } },
        { code: 'H', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 501, credited: 1 } },
      ],
    },
    [
      'campaigns[0].voucher.gift.balance must not be above its amount',
      'vouchers[0].gift.balance must not be above its amount',
    ],
  ],
  [
    'texts and metadata that are longer than the API takes them, measured in characters',
    {
      roles: [{ name }],
      campaigns: [{ ...promotion, description: 'x'.repeat(5_001), metadata }],
      promotion_tiers: [{ name, banner: name, campaign_id: 'Promo', hierarchy: 1 }],
      rewards: [{ ...reward, name, attributes: { description: 'x'.repeat(5_001) } }],
      customers: [{ name, address: { city: name }, system_metadata: metadata }],
      vouchers: [{ ...coupon, code: name, additional_info: 'x'.repeat(5_001), metadata }],
    },
    [
      ...['roles[0].name', 'promotion_tiers[0].name', 'promotion_tiers[0].banner', 'rewards[0].name'].map(
        (place) => `${place} ${isLong}`,
      ),
      `customers[0].name ${isLong}`,
      `customers[0].address.city ${isLong}`,
      `customers[0].system_metadata ${isLarge}`,
      `campaigns[0].description ${isText}`,
      `campaigns[0].metadata ${isLarge}`,
      `rewards[0].attributes.description ${isText}`,
      `vouchers[0].code ${isLong}`,
      'vouchers[0].code must have at most 500 bytes as UTF-8, for a bar code holds no more',
      `vouchers[0].additional_info ${isText}`,
      `vouchers[0].metadata ${isLarge}`,
    ],
  ],
  [
    'no text that is as long as it may be',
    { roles: [{ name: '🎟'.repeat(300) }], vouchers: [{ ...coupon, additional_info: '🎟'.repeat(5_000) }] },
    [],
  ],
  [
    'a token that could be guessed',
    {
      app_keys: [{ app_id: 'a', name: 'A', app_token: 'x'.repeat(19) }],
      client_keys: [{ ...key, client_token: 'x', origins: ['https://c.example'] }],
      management_keys: [{ management_id: 'm', management_token: 'x' }],
    },
    ['app_keys[0].app_token', 'client_keys[0].client_token', 'management_keys[0].management_token'].map(
      (place) => `${place} must have at least 20 characters`,
    ),
  ],
  [
    'a client key whose origins are not as browsers send them, or that has none',
    {
      client_keys: [
        {
          ...key,
          origins: ['*', 'shop.example', 'https://Shop.example', 'https://s.example/', 'https://s.example:443', 'null'],
        },
        { ...key, client_application_id: 'd', origins: [] },
      ],
    },
    [
      ...Array.from({ length: 6 }, (_, index) => `client_keys[0].origins[${index}] ${noOrigin}`),
      'client_keys[1].origins must name at least one origin',
    ],
  ],
  [
    'a loyalty programme of type STANDALONE',
    { campaigns: [{ ...club, type: 'STANDALONE' }] },
    ['campaigns[0].type must be one of AUTO_UPDATE, STATIC, being that of a loyalty programme'],
  ],
  [
    'a voucher that says of itself that it is a referral code, which its programme denies',
    {
      campaigns: [friends, promotion],
      vouchers: [
        { ...referral, is_referral_code: false },
        { ...referral, code: 'B', campaign: 'Promo' },
        { ...referral, code: 'C' },
        { ...referral, code: 'D', campaign: 'Promo', is_referral_code: false },
        { ...coupon, code: 'E', is_referral_code: true },
      ],
    },
    ['vouchers[1].is_referral_code must be false, for its campaign is no referral programme'],
  ],
  [
    'fields that nobody knows, with the known one that is close',
    {
      campaigns: [
        {
          ...promotion,
          voucher_count: 5,
          voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5, amount_off: 3 } },
        },
      ],
      vouchers: [{ ...coupon, expirationdate: start_date, redemption: { quantitiy: 1 }, zzz: 1 }],
      event_schema: [{ name: 'e', metadata: {}, colour: 'red' }],
    },
    [
      'campaigns[0].voucher_count is no known field: is vouchers_count meant?',
      'campaigns[0].voucher.discount.amount_off is no known field',
      'vouchers[0].expirationdate is no known field: is expiration_date meant?',
      'vouchers[0].redemption.quantitiy is no known field: is quantity meant?',
      'vouchers[0].zzz is no known field',
      'event_schema[0].colour is no known field',
    ],
  ],
  [
    'fields of the project that nobody knows',
    { project: { id: 'proj_1', name: 'P', feature: {}, features: { areas_and_shops: true } } },
    [
      'project.feature is no known field: is features meant?',
      'project.features.areas_and_shops is no known field: is areas_and_stores meant?',
    ],
  ],
  [
    'nothing in what has any fields, nor for what a reply shows besides',
    {
      customers: [
        { id: 'cust_1', metadata: { anything: { at: 'all' } }, assets: { cockpit_url: 'https://x.example' } },
      ],
      vouchers: [
        { ...coupon, object: 'voucher', assets: { qr: { id: 'q', url: 'u' } }, redemption: { object: 'list' } },
      ],
      activities: [{ type: 't', data: { data: { customer: { id: 'cust_1', name: 'Ada' }, more: { a: 1 } }, b: 1 } }],
    },
    [],
  ],
  [
    'a customer named by an id in the field of a source id, or the other way round, or by two that differ',
    {
      customers: ['1', '2'].map((number) => ({ id: `cust_${number}`, source_id: `s${number}` })),
      vouchers: [
        { ...coupon, holder_id: 's1' },
        { ...coupon, code: 'B', holder_id: 'cust_1' },
      ],
      activities: [
        activity({ id: 's1' }),
        activity({ source_id: 'cust_1' }),
        activity({ id: 'cust_1', source_id: 's2' }),
        activity({ id: 'cust_1', source_id: 's1' }),
        activity({}),
      ],
    },
    [
      'activities[4].data.data.customer must have an id or a source_id',
      'vouchers[0].holder_id names no customer of this file',
      'activities[0].data.data.customer.id names no customer of this file',
      'activities[1].data.data.customer.source_id names no customer of this file',
      'activities[2].data.data.customer.source_id names another customer than its data.data.customer.id',
    ],
  ],
  [
    'a name and an id of two campaigns or categories, or of none',
    {
      customers: [{ id: 'cust_1' }],
      categories: ['Books', 'Tea'].map((name) => ({ id: `cat_${name}`, name })),
      campaigns: [{ ...club, category: 'Tea', category_id: 'cat_Books' }, other],
      vouchers: [
        { ...coupon, campaign: 'Club', campaign_id: 'camp_other', category: 'Tea', category_id: 'cat_Books' },
        { ...coupon, code: 'B', campaign: 'Club', campaign_id: 'camp_club', category: 'Tea', category_id: 'cat_Tea' },
        { ...coupon, code: 'C', campaign: '' },
      ],
      promotion_tiers: [{ ...tier, category: 'Tea', category_id: 'cat_Books' }],
      activities: [
        activity({ id: 'cust_1' }, { campaign: 'Other', campaign_id: 'camp_club', category: 'Tea', code: 'A' }),
        activity({ id: 'cust_1' }, { campaign: 'No', campaign_id: 'camp_no', category: 'No', code: 'No' }),
      ],
    },
    [
      ...['vouchers', 'activities'].map((list) => `${list}[0].campaign_id names another campaign than its campaign`),
      ...['vouchers', 'promotion_tiers', 'campaigns'].map(
        (list) => `${list}[0].category_id names another category than its category`,
      ),
      'vouchers[2].campaign names no campaign of this file',
      'activities[1].campaign names no campaign of this file',
      'activities[1].campaign_id names no campaign of this file',
      'activities[1].category names no category of this file',
      'activities[1].code names no voucher of this file',
    ],
  ],
  [
    'an activity that no item can keep, or no reply can show',
    {
      customers: [{ id: 'cust_1' }],
      activities: [
        activity({ id: 'cust_1' }, {}, { order: { amount: 1e20 } }),
        activity({ id: 'cust_1' }, {}, { order: { '': 1 } }),
        activity({ id: 'cust_1' }, {}, { order: ['\ud83d'] }),
        { type: 't', data: { data: { customer: { id: 'cust_1' } }, event_source: { channel: null } } },
      ],
    },
    [
      `activities[0] must have numbers between -${most} and ${most} only, none closer to 0 than 1e-100`,
      'activities[1] must not have an empty key',
      'activities[2] must be well-formed Unicode',
      'activities[3].data.event_source.channel must be a string',
    ],
  ],
  [
    'an entry that is larger than an item may be',
    { customers: [{ id: 'cust_1', referrals: { campaigns: [{ text: 'x'.repeat(400_000) }] } }] },
    ['customers[0] must have at most 380000 bytes, for DynamoDB keeps it in one item of 400 KB'],
  ],
];

test.each(rows)('a file is refused, by name of the place, for %s', async (_, lists, faults) => {
  expect([...(await faultsOf(projectFile(lists)))].sort()).toEqual(faults.toSorted());
});
