import { expect, test } from 'vitest';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { assignedRule, coupon, passiveSegment, validationRule } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

/** A customer that the request makes is judged by the data that the request sends, as the next request would judge them. */

const rule = (id: string, operator: string) =>
  validationRule(id, id, { name: 'customer.segment', conditions: { [operator]: ['seg_vip'] } });
const discount = { type: 'AMOUNT', amount_off: 100 };

const { credentials: headers } = await loadProject({
  segments: [passiveSegment('seg_vip', 'VIP', { 'metadata.vip': { conditions: { $is: [true] } } })],
  validation_rules: [rule('val_in', '$is'), rule('val_out', '$is_not')],
  vouchers: [coupon('FOR-VIP', discount), coupon('FOR-OTHERS', discount)],
  validation_rules_assignments: [
    assignedRule('val_in', 'voucher', 'FOR-VIP'),
    assignedRule('val_out', 'voucher', 'FOR-OTHERS'),
  ],
});

const asked = (id: string, source_id: string, vip: boolean) => ({
  headers,
  body: {
    redeemables: [{ object: 'voucher', id }],
    order: { amount: 1_000 },
    customer: { source_id, metadata: { vip } },
  },
});

test.each([
  ['FOR-VIP', true, true],
  ['FOR-VIP', false, false],
  ['FOR-OTHERS', true, false],
  ['FOR-OTHERS', false, true],
])('%s for a new customer whose metadata says vip: %s is valid: %s', async (id, vip, isValid) => {
  const who = `new-${id}-${vip}`;
  expect((await caller(validate)(asked(id, who, vip))).body.valid).toBe(isValid);
  const offered = await caller(qualify)({
    headers,
    body: { customer: { source_id: who, metadata: { vip } }, order: { amount: 1_000 }, scenario: 'ALL' },
  });
  const codes = offered.body.redeemables.data.map((one: { id: string }) => one.id);
  expect(codes.includes(id)).toBe(isValid);
  const first = await caller(redeem)(asked(id, who, vip));
  const second = await caller(redeem)(asked(id, who, vip));
  expect([first.status, second.status]).toEqual(isValid ? [200, 200] : [400, 400]);
});
