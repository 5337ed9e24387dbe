import { card, club, coupon, level, promotion, refuses, reward, tier } from '../../../../support/faulty-files.ts';

const validity_timeframe = { interval: 'P2D', duration: 'P1D' };
const start_date = '2026-01-01T00:00:00Z';
const backwards = { start_date: '2026-02-01T00:00:00Z', expiration_date: start_date };
const needsStart = 'needs a start_date, from which its periods count';
const beforeStart = 'must not be before start_date';
const noOrigin = 'must be an origin as browsers send it, such as https://shop.example or http://localhost:8080';
const started = { ...promotion, id: 'camp_2', name: 'Two', start_date };
const startedVouchers = { ...started, voucher: { type: 'DISCOUNT_VOUCHER', validity_timeframe } };
const coin = { exchange_ratio: 1, points_ratio: 10 };
const key = { client_application_id: 'c', name: 'C', client_token: 'token-of-a-client-key' };

refuses([
  [
    'a timeframe without a start to count from',
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
    'a reward with what another type of reward gives',
    {
      rewards: [
        { ...reward, parameters: { coin } },
        { name: 'Pay', type: 'COIN', parameters: { coin, product: { id: 'p' } } },
        { name: 'Pay', type: 'COIN', parameters: { coin } },
      ],
    },
    [
      'rewards[0].parameters.coin is not allowed: a MATERIAL reward has only product',
      'rewards[1].parameters.product is not allowed: a COIN reward has only coin',
    ],
  ],
  [
    'a loyalty tier that ends below its begin',
    { campaigns: [club], loyalty_tiers: [level(5, 4), level(5, 5)] },
    ['loyalty_tiers[0].points.to must not be below from'],
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
    'a loyalty programme of type STANDALONE',
    { campaigns: [{ ...club, type: 'STANDALONE' }] },
    ['campaigns[0].type must be one of AUTO_UPDATE, STATIC in a loyalty programme'],
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
    'a client key whose origins have a wrong form',
    {
      client_keys: [
        {
          ...key,
          origins: ['*', 'shop.example', 'https://Shop.example', 'https://s.example/', 'https://s.example:443', 'null'],
        },
      ],
    },
    Array.from({ length: 6 }, (_, index) => `client_keys[0].origins[${index}] ${noOrigin}`),
  ],
]);
