import { activity, card, club, coupon, promotion, refuses, reward } from '../../../../support/faulty-files.ts';

const most = Number.MAX_SAFE_INTEGER;
const tooMuch = `adds up to more than ${most} with what came before it for the same card or holder`;
const isLong = 'must have at most 300 characters';
const isLarge = 'must have at most 51200 bytes as JSON';
const isText = 'must have at most 5000 characters';
const gift = (code: string, amount: number) => ({ code, type: 'GIFT_VOUCHER', gift: { amount }, holder_id: 'cust_1' });
const name = '🎟'.repeat(301);
const metadata = { text: 'x'.repeat(52_000) };

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

refuses([
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
    ["customers[0].loyalty.referred_customers must stay a safe integer when the service's own count is added"],
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
    'no text of the greatest length',
    { roles: [{ name: '🎟'.repeat(300) }], vouchers: [{ ...coupon, additional_info: '🎟'.repeat(5_000) }] },
    [],
  ],
  [
    'an activity that no item can store, or no reply can show',
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
    ['customers[0] must have at most 380000 bytes, because DynamoDB stores it in one item of 400 KB'],
  ],
]);
