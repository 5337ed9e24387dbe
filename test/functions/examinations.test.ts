import { expect, test } from 'vitest';
import { handler as examineCampaigns } from '../../functions/campaigns/examine-campaigns.ts';
import { handler as examineVouchers } from '../../functions/vouchers/examine-vouchers.ts';
import { caller } from '../support/call.ts';
import { couponCampaign, validationRule } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const day = (number: number) => `2026-05-0${number}T00:00:00.000Z`;

async function shop() {
  const { credentials: headers } = await loadProject({
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: { vip: true } }],
    campaigns: ['Bravo', 'Alpha'].map((name, index) =>
      couponCampaign(`camp_${index + 1}`, name, off(5), { created_at: day(index + 1) }),
    ),
    vouchers: [
      { code: 'B', type: 'DISCOUNT_VOUCHER', discount: off(1), created_at: day(1) },
      { code: 'A', type: 'DISCOUNT_VOUCHER', discount: off(1), created_at: day(2) },
      { code: 'HELD', type: 'DISCOUNT_VOUCHER', discount: off(1), created_at: day(3), holder_id: 'cust_1' },
    ],
    validation_rules: [
      { id: 'val_much', name: 'Much', rules: { 1: { name: 'order.amount', conditions: { $more_than: [500] } } } },
      validationRule('val_vip', 'VIP', { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }),
    ],
    validation_rules_assignments: [
      { rule_id: 'val_much', related_object_id: 'A', related_object_type: 'voucher' },
      { rule_id: 'val_vip', related_object_id: 'camp_2', related_object_type: 'campaign' },
    ],
  });
  const found = (handler: Parameters<typeof caller>[0], name: string) => async (body: object, query?: string) => {
    const reply = await caller(handler)({ headers, body, ...(query ? { query } : {}) });
    return reply.body.data.map((one: Record<string, string>) => one[name]);
  };
  return { codes: found(examineVouchers, 'code'), campaigns: found(examineCampaigns, 'id') };
}

test('standalone codes without a holder qualify by the cart, or by the customer alone, in any order', async () => {
  const { codes } = await shop();
  expect(await codes({ order: { amount: 1_000 } })).toEqual(['A', 'B']);
  expect(await codes({ order: { amount: 1_000 } }, 'order=-code&limit=1')).toEqual(['B']);
  expect(await codes({ order: { amount: 100 } })).toEqual(['B']);
  expect(await codes({ order: { amount: 100 } }, 'audienceRulesOnly=true&order=code')).toEqual(['A', 'B']);
});

test('campaigns qualify like one of their codes', async () => {
  const { campaigns } = await shop();
  const order = { amount: 1_000 };
  expect(await campaigns({ order, customer: { source_id: 'ada' } })).toEqual(['camp_2', 'camp_1']);
  expect(await campaigns({ order, customer: { source_id: 'ada' } }, 'order=-campaign')).toEqual(['camp_1', 'camp_2']);
  expect(await campaigns({ order })).toEqual(['camp_1']);
});
