import { test } from 'vitest';
import { handler as redeemables } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as assignRule } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as assignments } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as create } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { handler as disable } from '../../functions/vouchers/disable-voucher.ts';
import { handler as enable } from '../../functions/vouchers/enable-voucher.ts';
import { handler as get } from '../../functions/vouchers/get-voucher.ts';
import { handler as transactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { handler as update } from '../../functions/vouchers/update-voucher.ts';
import { type Asked, expectAsInTurn } from '../support/in-turn.ts';
import { campaignEntry, validationRule } from '../support/lists.ts';

const discount = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const made = { created_at: '2026-01-10T09:00:00.000Z' };
const coupon = { type: 'DISCOUNT_VOUCHER', discount, ...made };
const lists = {
  customers: [{ id: 'cust_ada' }, { id: 'cust_bob' }],
  campaigns: [
    {
      ...campaignEntry('camp_once', 'Once', 'DISCOUNT_COUPONS', { type: 'AUTO_UPDATE', join_once: true, ...made }),
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
    },
    {
      ...{ id: 'camp_pool', name: 'Pool', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', ...made },
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
    },
  ],
  validation_rules: ['val_big', 'val_small'].map((id) =>
    validationRule(id, id, { name: 'order.amount', conditions: { $more_than: [1] } }),
  ),
  vouchers: [
    { code: 'CODE', ...coupon, active: true, metadata: { kept: 1 } },
    { code: 'PLAIN', ...coupon, active: true },
    { code: 'POOLED', ...coupon, campaign_id: 'camp_pool', active: true },
    { code: 'OFF', ...coupon, campaign_id: 'camp_pool', active: false },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 }, active: true, ...made },
  ],
};

const of = (handler: Asked[0], code: string, body?: object): Asked => [
  handler,
  { params: { code }, ...(body ? { body } : {}) },
];
const forGood = (code: string): Asked => [remove, { params: { code }, query: 'force=true' }];
const toBin = (code: string): Asked => [remove, { params: { code } }];
const toCustomer = (voucher: string, id: string): Asked => [publish, { body: { voucher, customer: { id } } }];
const ofCampaign = (name: string, id: string): Asked => [publish, { body: { campaign: { name }, customer: { id } } }];
const held = (customerId: string): Asked => [redeemables, { params: { customerId } }];
const ruleOf = (code: string, validationRuleId = 'val_big'): Asked => [
  assignRule,
  { params: { validationRuleId }, body: { related_object_type: 'voucher', related_object_id: code } },
];
const rules: Asked = [assignments, { params: { validationRuleId: 'val_big' } }];
const dated = (code: string, dates: object) => of(update, code, dates);

const created = (code: string): Asked => [
  create,
  { params: { code }, body: { type: 'GIFT_VOUCHER', gift: { amount: 9 } } },
];
const credit = of(adjust, 'GIFT', { amount: 5 });

/** `before` happens at the moment of `first`, so that the date of the last change does not reveal the order. */
type Row = [second: string, first: string, Asked, Asked, Asked[], before?: Asked[]];

test.each<Row>([
  ['a change', 'a deletion for good', of(update, 'CODE', { additional_info: 'x' }), forGood('CODE'), [of(get, 'CODE')]],
  ['a change', 'a deletion', of(update, 'CODE', { additional_info: 'x' }), toBin('CODE'), [of(get, 'CODE')]],
  ['a change of metadata', 'a deletion', of(update, 'CODE', { metadata: { a: 1 } }), toBin('CODE'), [of(get, 'CODE')]],
  [
    'a change of metadata',
    'another',
    of(update, 'CODE', { metadata: { a: 1 } }),
    of(update, 'CODE', { metadata: { b: 2 } }),
    [of(get, 'CODE')],
  ],
  [
    'first metadata',
    'others',
    of(update, 'PLAIN', { metadata: { a: 1 } }),
    of(update, 'PLAIN', { metadata: { b: 2 } }),
    [of(get, 'PLAIN')],
  ],
  [
    'an end',
    'a later beginning',
    dated('CODE', { expiration_date: '2026-07-01T00:00:00Z' }),
    dated('CODE', { start_date: '2026-08-01T00:00:00Z' }),
    [of(get, 'CODE')],
  ],
  ['switching off', 'the same', of(disable, 'CODE'), of(disable, 'CODE'), [of(get, 'CODE')]],
  ['switching off', 'a deletion', of(disable, 'CODE'), toBin('CODE'), [of(get, 'CODE')]],
  ['switching off', 'a deletion for good', of(disable, 'CODE'), forGood('CODE'), [of(get, 'CODE')]],
  ['switching off', 'a publication', of(disable, 'POOLED'), toCustomer('POOLED', 'cust_ada'), [of(get, 'POOLED')]],
  ['a change of its state', 'a switch', of(update, 'CODE', { active: false }), of(disable, 'CODE'), [of(get, 'CODE')]],
  ['a credit', 'switching off', of(adjust, 'GIFT', { amount: 5 }), of(disable, 'GIFT'), [of(transactions, 'GIFT')]],
  ['a debit', 'another', of(adjust, 'GIFT', { amount: -60 }), of(adjust, 'GIFT', { amount: -50 }), [of(get, 'GIFT')]],
  ['a credit', 'a deletion', of(adjust, 'GIFT', { amount: 5 }), toBin('GIFT'), [of(get, 'GIFT')]],
  ['a deletion', 'a publication', forGood('POOLED'), toCustomer('POOLED', 'cust_ada'), [held('cust_ada')]],
  ['a deletion', 'a publication', toBin('POOLED'), toCustomer('POOLED', 'cust_ada'), [held('cust_ada')]],
  ['a deletion', 'an assignment', forGood('CODE'), ruleOf('CODE'), [rules]],
  ['a deletion', 'a credit', forGood('GIFT'), of(adjust, 'GIFT', { amount: 5 }), [of(get, 'GIFT')]],
  [
    'a deletion',
    'a second credit',
    forGood('GIFT'),
    credit,
    [created('GIFT'), credit, of(transactions, 'GIFT')],
    [credit],
  ],
  [
    'a deletion',
    'a publication after a change',
    forGood('POOLED'),
    toCustomer('POOLED', 'cust_ada'),
    [held('cust_ada')],
    [of(update, 'POOLED', { additional_info: 'x' })],
  ],
  [
    'a change of its state',
    'a publication',
    of(update, 'POOLED', { active: false }),
    toCustomer('POOLED', 'cust_ada'),
    [of(get, 'POOLED')],
  ],
  ['a deletion', 'another', toBin('CODE'), forGood('CODE'), [of(get, 'CODE')]],
  ['a publication', 'another', toCustomer('POOLED', 'cust_bob'), toCustomer('POOLED', 'cust_ada'), [held('cust_bob')]],
  ['a publication', 'switching off', toCustomer('POOLED', 'cust_ada'), of(disable, 'POOLED'), [held('cust_ada')]],
  ['a publication', 'a deletion', toCustomer('POOLED', 'cust_ada'), toBin('POOLED'), [held('cust_ada')]],
  [
    'a publication of the campaign',
    'switching off',
    ofCampaign('Pool', 'cust_ada'),
    of(disable, 'POOLED'),
    [held('cust_ada'), of(get, 'POOLED')],
  ],
  [
    'a publication of the campaign',
    'another',
    ofCampaign('Pool', 'cust_ada'),
    ofCampaign('Pool', 'cust_bob'),
    [held('cust_ada'), held('cust_bob')],
  ],
  [
    'a publication of a campaign to join once',
    'the same',
    ofCampaign('Once', 'cust_ada'),
    ofCampaign('Once', 'cust_ada'),
    [held('cust_ada')],
  ],
  ['switching on', 'a deletion', of(enable, 'OFF'), toBin('OFF'), [of(get, 'OFF')]],
])(
  '%s of a voucher that meets %s ends as if the other had come first',
  async (_, __, second, first, seen, before = []) => {
    await expectAsInTurn({ lists, before, first, second, seen });
  },
);
