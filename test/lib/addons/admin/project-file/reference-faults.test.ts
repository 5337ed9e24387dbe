import {
  activity,
  card,
  club,
  coupon,
  level,
  promotion,
  refuses,
  reward,
  tier,
} from '../../../../support/faulty-files.ts';

const other = { ...club, id: 'camp_other', name: 'Other' };
const coupons = { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };
const friends = { id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC' };
const referral = { ...coupon, campaign: 'Friends', is_referral_code: true };
const measured = (metadata_key: string, more: object = {}) => ({
  campaign_id: 'Club',
  event: 'bought',
  active: true,
  loyalty: { type: 'PROPORTIONAL', metadata_key, points: 1, every: 1 },
  ...more,
});
const event_schema = [{ name: 'bought', metadata: { amount: 'number', where: 'string' } }];
const fixed = { type: 'CUSTOM', points: 1 };

refuses([
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
    'a loyalty tier of a campaign that is not a loyalty programme',
    { campaigns: [coupons], loyalty_tiers: [{ ...level(0), campaign_id: 'Coupons' }] },
    ['loyalty_tiers[0].campaign_id names a campaign that is not a loyalty programme'],
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
      'vouchers[0].type must not be LOYALTY_CARD, because its campaign is not a loyalty programme',
      'vouchers[1].discount must be absent in a LOYALTY_CARD',
    ],
  ],
  [
    'an earning rule that measures a field that is not a number of its event',
    { campaigns: [club], event_schema, earning_rules: ['amount', 'where', 'weight'].map((field) => measured(field)) },
    [1, 2].map((index) => `earning_rules[${index}].loyalty.metadata_key must be a number of the event in event_schema`),
  ],
  [
    'a voucher that calls itself a referral code against its programme',
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
    ['vouchers[1].is_referral_code must be false, because its campaign is not a referral programme'],
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
    'a name and an id of two campaigns or categories, or of missing ones',
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
]);
