import { coupon, promotion, refuses } from '../../../../support/faulty-files.ts';

refuses([
  [
    'unknown fields, with the nearest known one',
    {
      campaigns: [
        {
          ...promotion,
          voucher_count: 5,
          voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5, amount_off: 3 } },
        },
      ],
      vouchers: [{ ...coupon, expirationdate: '2026-01-01T00:00:00Z', redemption: { quantitiy: 1 }, zzz: 1 }],
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
    'unknown fields of the project',
    { project: { id: 'proj_1', name: 'P', feature: {}, features: { areas_and_shops: true } } },
    [
      'project.feature is no known field: is features meant?',
      'project.features.areas_and_shops is no known field: is areas_and_stores meant?',
    ],
  ],
  [
    'nothing in open objects, nor for extra fields of a reply',
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
]);
