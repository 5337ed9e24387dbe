import { coupon, promotion, refuses } from '../../../support/faulty-files.ts';

refuses([
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
]);
