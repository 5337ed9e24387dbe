import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as createAssignment } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

/** docs/discounts.md#recipes: each recipe is sent as the page shows it. */

const page = await readFile(join(import.meta.dirname, '../../docs/discounts.md'), 'utf8');

function recipe(name: string): Record<string, unknown> {
  const [, json = ''] = new RegExp(`<!-- recipe: ${name} -->\n\`\`\`json\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return JSON.parse(json);
}

const percent = (percent_off: number, effect?: string) => ({
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off, effect },
});

const { credentials: headers } = await loadProject({
  vouchers: [
    { code: 'FREE', ...percent(100) },
    { code: 'TENTH', ...percent(10) },
    { code: 'TENTH-OF-GOODS', ...percent(10) },
    {
      code: 'SHIPPING',
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_5h1pp1ng', effect: 'ADD_MISSING_ITEMS' },
    },
    { code: 'TENTH-OF-LINES', ...percent(10, 'APPLY_TO_ITEMS') },
  ],
});

async function redeemed(id: string, order: object) {
  const body = { redeemables: [{ object: 'voucher', id }], order };
  const { body: valid } = await caller(validateRedeemables)({ headers, body });
  const { status, body: done } = await caller(redeemRedeemables)({ headers, body });
  expect(status).toBe(200);
  expect(valid.order.total_amount).toBe(done.order.total_amount);
  return done.order;
}

test('three for two: the last of each three units is free, from the dearest on', async () => {
  const rule = await caller(createRule)({ headers, body: recipe('three for two') });
  expect(rule.status).toBe(200);
  const body = { voucher: 'FREE' };
  expect((await caller(createAssignment)({ headers, params: { validationRuleId: rule.body.id }, body })).status).toBe(
    200,
  );
  const items = [
    { source_id: 'd', quantity: 1, price: 1000 },
    { source_id: 'b', quantity: 1, price: 1000 },
    { source_id: 'a', quantity: 1, price: 2000 },
  ];
  const order = await redeemed('FREE', { items });
  expect(order).toMatchObject({ total_discount_amount: 1000, total_amount: 3000 });
  expect(order.items.map((line: Record<string, unknown>) => line.discount_amount ?? 0)).toEqual([0, 1000, 0]);
});

test('three for two: the rule holds for the codes of a campaign, with a discount on items', async () => {
  const rule = await caller(createRule)({ headers, body: recipe('three for two') });
  const discount = { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ITEMS' };
  const campaign = await caller(createCampaign)({
    headers,
    body: { name: 'Trio', validation_rules: [rule.body.id], voucher: { type: 'DISCOUNT_VOUCHER', discount } },
  });
  expect(campaign.status).toBe(200);
  await caller(createVoucher)({ headers, body: { campaign: 'Trio', code: 'TRIO' } });
  const items = [1000, 1500, 2000].map((price) => ({ source_id: `own ${price}`, quantity: 1, price }));
  const order = await redeemed('TRIO', { items });
  expect(order).toMatchObject({ total_discount_amount: 1000, total_amount: 3500 });
});

test('percentages without the shipping: either order of the codes takes off the same', async () => {
  const rule = await caller(createRule)({ headers, body: recipe('percentages without the shipping') });
  const params = { validationRuleId: rule.body.id };
  expect((await caller(createAssignment)({ headers, params, body: { voucher: 'TENTH-OF-GOODS' } })).status).toBe(200);
  const items = [
    { source_id: 'goods', quantity: 1, price: 5000 },
    { source_id: '5h1pp1ng', quantity: 1, price: 490 },
  ];
  for (const codes of [
    ['TENTH-OF-GOODS', 'SHIPPING'],
    ['SHIPPING', 'TENTH-OF-GOODS'],
  ]) {
    const redeemables = codes.map((id) => ({ object: 'voucher', id }));
    const { status, body } = await caller(redeemRedeemables)({ headers, body: { redeemables, order: { items } } });
    expect([status, body.order?.total_discount_amount]).toEqual([200, 990]);
  }
});

test('weighed goods: a line costs its own amount, and a percentage is of that amount', async () => {
  expect(Math.round((2250 * 6422) / 1000)).toBe(14450);
  const order = await redeemed('TENTH', recipe('weighed goods'));
  expect(order).toMatchObject({ amount: 14450, total_discount_amount: 1445, total_amount: 13005 });
});

test('trade-ins: a percentage is of the lines, and the trade-in is taken off besides', async () => {
  const order = await redeemed('TENTH-OF-LINES', recipe('trade-ins'));
  expect(order).toMatchObject({ amount: 5000, items_discount_amount: 500, discount_amount: 1000, total_amount: 3500 });
});
