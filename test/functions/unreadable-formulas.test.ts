import { describe, expect, test } from 'vitest';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as createEarningRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { loadProject, projectFile, withFile } from '../support/project.ts';

const plain = { type: 'AMOUNT', amount_off: 500 };
const priced = (price_formula: string) => ({
  included: [{ object: 'product', id: 'prod_1', price: 100, price_formula }],
});
const lists = (formula: string) => ({
  campaigns: [
    { id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' },
    {
      ...{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' },
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    },
  ],
  vouchers: [
    { code: 'OLD', type: 'DISCOUNT_VOUCHER', discount: { ...plain, amount_off_formula: formula } },
    { code: 'PLAIN', type: 'DISCOUNT_VOUCHER', discount: plain },
    {
      code: 'UNITS',
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' },
    },
  ],
  validation_rules: [{ id: 'val_1', name: 'Priced', applicable_to: priced(formula) }],
});

const broken: [formula: string, fault: string][] = [
  ['ORDER_AMOUNT /', 'lacks a value'],
  ['(ORDER_AMOUNT', 'has a bracket that is not closed'],
  ['NO_SUCH(1)', 'names NO_SUCH, which does not exist'],
  ['ORDER_AMOUT / 10', 'names ORDER_AMOUT, which does not exist: write ORDER_AMOUNT'],
  ['IF(ORDER_AMOUNT > 5; MAXIMUM(1;2); 0)', 'names MAXIMUM, which does not exist'],
];

/** Formulas with each kind of name. */
const fine = [
  'order_amount / 10',
  'MIN(ORDER_AMOUNT; 5)',
  'IF(ORDER_METADATA("vip") IS "yes"; 5; DEFAULT_TO(CUSTOMER_METADATA("x"); 1))',
  'SWITCH(ORDER_ITEMS_QUANTITY; SWITCH_CASE(1; 2) SWITCH_CASE(2; 3); 4)',
  'DAYS_SINCE(CUSTOMER_BIRTHDATE) + MONTH() + YEAR(DATE("2026-01-01"))',
  'CHEAPEST_ORDER_ITEM_PRICE + MOST_EXPENSIVE_ORDER_ITEM_SUBTOTAL + ORDER_ITEM_PRODUCT_METADATA("k")',
  'IF(REDEMPTION_METADATA("a") IN_ARRAY "x,y" AND TODAY IS_AFTER VOUCHER_START_DATE; 1; 2)',
  'ROUND(POW(2; 3); -1) + FLOOR(1.5) - CEIL(PUBLICATION_METADATA("k")) % 2',
];

const project = await loadProject(lists('ORDER_AMOUNT /'));
const { credentials: headers } = project;
const ask = (handler: Endpoint, body: object, params: Record<string, string> = {}) =>
  caller(handler)({ headers, params, body });

type Way = [string, (formula: string) => ReturnType<typeof ask>, key: string, place: string];
const discount = (amount_off_formula: string) => ({ ...plain, amount_off_formula });

const ways: Way[] = [
  [
    'a voucher',
    (formula) =>
      ask(
        createVoucher,
        { type: 'DISCOUNT_VOUCHER', discount: discount(formula) },
        { code: `N${Math.abs(formula.length)}` },
      ),
    'invalid_payload',
    'discount.amount_off_formula',
  ],
  [
    'the change of a voucher',
    (formula) => ask(updateVoucher, { discount: discount(formula) }, { code: 'PLAIN' }),
    'invalid_payload',
    'discount.amount_off_formula',
  ],
  [
    'a campaign',
    (formula) =>
      ask(createCampaign, { name: formula, voucher: { type: 'DISCOUNT_VOUCHER', discount: discount(formula) } }),
    'invalid_payload',
    'voucher.discount.amount_off_formula',
  ],
  [
    'a promotion tier',
    (formula) => ask(createTier, { name: formula, action: { discount: discount(formula) } }, { campaignId: 'camp_1' }),
    'invalid_payload',
    'action.discount.amount_off_formula',
  ],
  [
    'units',
    (formula) =>
      ask(
        updateVoucher,
        { discount: { type: 'UNIT', unit_type: 'prod_1', unit_off_formula: formula } },
        { code: 'UNITS' },
      ),
    'invalid_payload',
    'discount.unit_off_formula',
  ],
  [
    'a validation rule',
    (formula) => ask(createRule, { name: 'R', applicable_to: priced(formula) }),
    'invalid_validation_rules',
    'applicable_to.included[0].price_formula',
  ],
  [
    'the change of a validation rule',
    (formula) => ask(updateRule, { applicable_to: priced(formula) }, { validationRuleId: 'val_1' }),
    'invalid_validation_rules',
    'applicable_to.included[0].price_formula',
  ],
  [
    'an earning rule',
    (formula) =>
      ask(
        createEarningRules,
        [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1, points_formula: formula } }],
        {
          campaignId: 'camp_club',
        },
      ),
    'invalid_payload',
    'points_formula',
  ],
];

describe.each(ways)('%s', (_, write, key, place) => {
  test.each(broken)('is refused with the formula %s', async (formula, fault) => {
    const { status, body } = await write(formula);
    expect([status, body.key]).toEqual([400, key]);
    expect(body.details).toContain(`${place} ${fault}`);
  });
});

test('formulas with names that exist, in any case, are taken', async () => {
  for (const formula of [...fine, '', '  ']) {
    const { status, body } = await ask(updateVoucher, { discount: discount(formula) }, { code: 'PLAIN' });
    expect([formula, body.details, status]).toEqual([formula, undefined, 200]);
  }
});

test('a rule whose stored formula is broken can be changed otherwise', async () => {
  const { status } = await ask(updateRule, { name: 'Still priced' }, { validationRuleId: 'val_1' });
  expect(status).toBe(200);
});

test.each(broken)(
  'a project file with the formula %s is loaded, and its report names each place',
  async (formula, fault) => {
    const { dynamodb, tableName } = testDependencies();
    const file = projectFile(lists(formula));
    const { notes } = await withFile(file, (path) => loadProjectFile(path, { dynamodb, tableName, now: testTime }));
    expect(notes).toEqual([
      `vouchers[0].discount.amount_off_formula ${fault}. The plain value applies`,
      `validation_rules[0].applicable_to.included[0].price_formula ${fault}. The plain value applies`,
    ]);
  },
);

test('a stored formula that cannot be read leaves the plain value', async () => {
  const body = { redeemables: [{ object: 'voucher', id: 'OLD' }], order: { amount: 10_000 } };
  expect((await caller(validate)({ headers, body })).body.order.total_applied_discount_amount).toBe(500);
});
