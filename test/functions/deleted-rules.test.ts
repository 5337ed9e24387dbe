import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as listAssignments } from '../../functions/validation-rules-assignments/list-validation-rules-assignments.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { assignedRule } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { off, spring, tiers } from '../support/qualifying.ts';

const coupon = (code: string) => ({ code, type: 'DISCOUNT_VOUCHER', discount: off(100) });
const on = (related_object_type: string, related_object_id: string, rule_id = 'val_brake') =>
  assignedRule(rule_id, related_object_type, related_object_id);
const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, holder_id: 'cust_1', campaign_id: 'camp_club' };

const lists = {
  // Every customer meets this rule until its deletion.
  validation_rules: ['val_brake', 'val_other'].map((id) => ({ id, name: id })),
  campaigns: [spring, programme('camp_club')],
  promotion_tiers: tiers(100),
  customers: [{ id: 'cust_1', source_id: 'ada' }],
  vouchers: [...['HELD', 'EASED', 'FREE'].map(coupon), { code: 'CARD', ...card }],
  event_schema: [{ name: 'visit', metadata: {} }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 7 } },
  ],
  validation_rules_assignments: [
    ...[on('voucher', 'HELD'), on('voucher', 'EASED'), on('promotion_tier', 'promo_1')],
    ...[on('earning_rule', 'ern_1'), on('voucher', 'FREE', 'val_other')],
  ],
};

describe('a resource with a deleted rule', () => {
  let project: TestProject;
  const call = (handler: Endpoint, request: object = {}) =>
    caller(handler)({ headers: project.credentials, ...request });
  const order = { amount: 1_000 };
  const redeemables = (id: string, object = 'voucher') => ({ redeemables: [{ object, id }], order });
  const assignmentsOfRule = async (rule = 'val_brake') =>
    (await call(listAssignments, { query: `rule=${rule}` })).body.data;

  beforeAll(async () => {
    project = await loadProject(lists);
    const before = await call(validate, { body: redeemables('HELD') });
    expect(before.body.valid).toBe(true);
    expect((await call(deleteRule, { params: { validationRuleId: 'val_brake' } })).status).toBe(204);
    await runOutbox(project.id);
  });

  test.each([
    ['HELD', 'voucher'],
    ['promo_1', 'promotion_tier'],
  ])('cannot be validated or redeemed, and says why: %s', async (id, object) => {
    const reason = 'val_brake (deleted: remove it)';
    const { body } = await call(validate, { body: redeemables(id, object) });
    expect(body).toMatchObject({ valid: false });
    expect(body.redeemables[0].result.error).toMatchObject({
      key: 'redemption_rules_violated',
      details: expect.stringContaining(reason),
    });
    const redeemed = await call(redeem, { body: redeemables(id, object) });
    expect(redeemed.body).toMatchObject({ code: 400, details: expect.stringContaining(reason) });
  });

  test('is not offered to anybody', async () => {
    const { body } = await call(qualify, { body: { customer: { source_id: 'ada' }, order, mode: 'BASIC' } });
    expect(body.redeemables.data.map(({ id }: { id: string }) => id)).not.toContain('promo_1');
  });

  test('earns nothing', async () => {
    await call(sendEvent, { body: { event: 'visit', customer: { source_id: 'ada' } } });
    const { body } = await call(getVoucher, { params: { code: 'CARD' } });
    expect(body.loyalty_card.points).toBe(0);
  });

  test('still has the rule, and its assignments are listed', async () => {
    const types = (await assignmentsOfRule()).map((one: { related_object_type: string }) => one.related_object_type);
    expect(types.toSorted()).toEqual(['earning_rule', 'promotion_tier', 'voucher', 'voucher']);
    const { body } = await call(getVoucher, { params: { code: 'HELD' } });
    expect(body.validation_rules_assignments.data[0].rule_id).toBe('val_brake');
  });

  test('is also unusable where its project file is loaded', async () => {
    const { project: own, ...copied } = await exported(project.id);
    const held = copied.validation_rules_assignments.filter((one: { rule_deleted?: boolean }) => one.rule_deleted);
    expect(held).toHaveLength(4);
    expect(own.id).toBe(project.id);
    const { app_keys, client_keys, management_keys, ...content } = copied;
    const copy = await loadProject(content);
    const { body } = await caller(validate)({ headers: copy.credentials, body: redeemables('HELD') });
    expect(body.valid).toBe(false);
    const free = await caller(validate)({ headers: copy.credentials, body: redeemables('FREE') });
    expect(free.body.valid).toBe(true);
  });

  test('can be used again when the rule is removed or replaced', async () => {
    const { body: held } = await call(getVoucher, { params: { code: 'EASED' } });
    const [{ id: assignmentId }] = held.validation_rules_assignments.data;
    const params = { validationRuleId: 'val_brake', assignmentId };
    expect((await call(unassign, { params })).status).toBe(204);
    expect((await call(unassign, { params })).body).toMatchObject({ code: 404, resource_type: 'validation_rules' });
    expect((await call(validate, { body: redeemables('EASED') })).body.valid).toBe(true);

    const replaced = await call(assign, {
      params: { validationRuleId: 'val_other' },
      query: 'force=true',
      body: { related_object_type: 'promotion_tier', related_object_id: 'promo_1' },
    });
    expect(replaced.status).toBe(200);
    expect((await call(redeem, { body: redeemables('promo_1', 'promotion_tier') })).status).toBe(200);
    const earning = (await assignmentsOfRule()).find(
      (one: { related_object_type: string }) => one.related_object_type === 'earning_rule',
    );
    expect((await call(unassign, { params: { ...params, assignmentId: earning.id } })).status).toBe(204);
    await call(sendEvent, { body: { event: 'visit', customer: { source_id: 'ada' } } });
    const { body } = await call(getVoucher, { params: { code: 'CARD' } });
    expect(body.loyalty_card.points).toBe(7);
  });
});
