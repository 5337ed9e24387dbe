import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const costly = Array(251).fill('1').join('+');
const off = { type: 'AMOUNT', amount_off: 5, amount_off_formula: costly };
const promotion = { id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' };

test.each<[string, Endpoint, Record<string, string>, (discount: object) => object, string]>([
  ['a voucher', createVoucher, { code: 'NEW' }, (discount) => ({ type: 'DISCOUNT_VOUCHER', discount }), 'discount.'],
  ['an existing voucher', updateVoucher, { code: 'OLD' }, (discount) => ({ discount }), 'discount.'],
  ['a campaign', createCampaign, {}, (discount) => ({ voucher: { discount } }), 'voucher.discount.'],
  ['a tier', createTier, { campaignId: 'camp_1' }, (discount) => ({ action: { discount } }), 'action.discount.'],
])('a discount of %s is refused with a formula that is too costly', async (_, handler, params, bodyOf, place) => {
  const plain = { type: 'AMOUNT', amount_off: 5 };
  const { credentials: headers } = await loadProject({
    campaigns: [promotion],
    vouchers: [{ code: 'OLD', type: 'DISCOUNT_VOUCHER', discount: plain }],
  });
  const formulas = {
    [`${place}amount_off_formula`]: off,
    [`${place}percent_off_formula`]: { type: 'PERCENT', percent_off: 5, percent_off_formula: costly },
    [`${place}fixed_amount_formula`]: { type: 'FIXED', fixed_amount: 5, fixed_amount_formula: costly },
    [`${place}unit_off_formula`]: { type: 'UNIT', unit_off_formula: costly, unit_type: 'prod_1' },
  };
  for (const [field, discount] of Object.entries(formulas)) {
    const { status, body } = await caller(handler)({ headers, params, body: { name: 'Any', ...bodyOf(discount) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain(`${field} must have at most 500 parts`);
  }
});

test('a stored one that is too costly works unchanged', async () => {
  const { credentials: headers } = await loadProject({
    vouchers: [{ code: 'OLD', type: 'DISCOUNT_VOUCHER', discount: off }],
  });
  const body = { redeemables: [{ object: 'voucher', id: 'OLD' }], order: { amount: 100_000 } };
  expect((await caller(validate)({ headers, body })).body.order.total_applied_discount_amount).toBe(25_100);
});
