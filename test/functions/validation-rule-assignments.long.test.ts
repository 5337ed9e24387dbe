import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as listAll } from '../../functions/validation-rules-assignments/list-validation-rules-assignments.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { caller } from '../support/call.ts';
import { coupon } from '../support/lists.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';
import { openRules, ruledLists } from '../support/validation-rules.ts';

describe('an assignment', () => {
  test.each(['voucher', 'campaign', 'promotion_tier'] as const)(
    'of a %s is shown there and in the lists, until it is removed',
    async (type) => {
      const { call, rule, assigned, shown, listed, ofRule } = await openRules();
      const id = { voucher: 'ONE', campaign: 'camp_1', promotion_tier: 'promo_1' }[type];
      const { body } = await assigned('val_1', type, id);
      expect(body).toEqual({
        id: expect.stringMatching(/^asgm_/),
        rule_id: 'val_1',
        related_object_id: type === 'voucher' ? expect.stringMatching(/^v_/) : id,
        related_object_type: type,
        created_at: expect.any(String),
        updated_at: null,
        object: 'validation_rules_assignment',
      });
      expect(await shown[type](id)).toEqual(['val_1']);
      expect(await ofRule('val_1')).toMatchObject({ data: [body], total: 1 });
      expect(await listed(`related_object_id=${body.related_object_id}`)).toEqual([body.id]);
      const params = rule('val_1', { assignmentId: body.id });
      expect((await call(unassign, rule('val_2', { assignmentId: body.id }))).body).toMatchObject({
        key: 'not_found',
        resource_type: 'validation_rules_assignment',
      });
      expect((await call(unassign, params)).status).toBe(204);
      expect((await call(unassign, params)).status).toBe(404);
      expect([await shown[type](id), await listed('')]).toEqual([[], []]);
      expect((await call(unassign, rule('val_no', { assignmentId: body.id }))).body.resource_type).toBe(
        'validation_rules',
      );
    },
  );

  test.each(['earning_rule', 'reward_assignment', 'distribution'])('of a %s is found by its id', async (type) => {
    const { call, rule, assigned, listed, ofRule } = await openRules();
    const { body } = await assigned('val_1', type, 'it_1');
    expect(await listed('related_object_id=it_1')).toEqual([body.id]);
    expect((await assigned('val_2', type, 'it_1')).body.key).toBe('duplicate_found');
    const forced = (await assigned('val_2', type, 'it_1', 'force=true')).body;
    expect(await listed('related_object_id=it_1')).toEqual([forced.id]);
    expect((await ofRule('val_1')).data).toEqual([]);
    expect((await call(unassign, rule('val_2', { assignmentId: forced.id }))).status).toBe(204);
    expect((await assigned('val_1', type, 'it_1')).status).toBe(200);
  });

  test('is the only one of its object: another one gets 409, and force replaces it', async () => {
    const { assigned, shown, listed } = await openRules();
    const first = (await assigned('val_1', 'voucher', 'ONE')).body;
    for (const rule of ['val_1', 'val_2']) {
      const reply = await assigned(rule, 'voucher', 'ONE');
      expect(reply.body).toMatchObject({ code: 409, key: 'duplicate_found', resource_type: 'voucher' });
    }
    const same = await assigned('val_1', 'voucher', 'ONE', 'force=true');
    expect(same.body).toEqual(first);
    const other = await assigned('val_2', 'voucher', 'ONE', 'force=true');
    expect(await shown.voucher('ONE')).toEqual(['val_2']);
    expect(await listed('')).toEqual([other.body.id]);
  });

  test.each([
    ['val_no', 'voucher', 'ONE', 'validation_rules', 'val_no'],
    ['val_1', 'voucher', 'NO', 'voucher', 'NO'],
    ['val_1', 'campaign', 'camp_no', 'campaign', 'camp_no'],
    ['val_1', 'promotion_tier', 'ONE', 'promotion_tier', 'ONE'],
  ])('of %s to the %s %s is 404', async (rule, type, id, resource_type, resource_id) => {
    const { assigned } = await openRules();
    expect((await assigned(rule, type, id)).body).toMatchObject({ code: 404, resource_type, resource_id });
  });

  test.each<[object, string]>([
    [{}, 'must name one object'],
    [{ related_object_type: 'voucher' }, 'must have related_object_type and related_object_id together'],
    [{ voucher: 'ONE', campaign: 'camp_1' }, 'must name one object'],
    [{ related_object_type: 'shelf', related_object_id: 'x' }, 'related_object_type must be one of'],
  ])('is refused for %j', async (body, details) => {
    const { call, rule } = await openRules();
    const reply = await call(assign, { ...rule('val_1'), body });
    expect(reply.body).toMatchObject({ key: 'invalid_payload', details: expect.stringContaining(details) });
  });

  test('is created for one of twenty rules that want the object at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `val_${index}`);
    const { assigned, shown, listed } = await openRules({ validation_rules: ids.map((id) => ({ id, name: id })) });
    const replies = await Promise.all(ids.map((id) => assigned(id, 'voucher', 'ONE')));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await shown.voucher('ONE')).toEqual([won[0]?.body.rule_id]);
    expect(await listed('')).toEqual([won[0]?.body.id]);
  });

  test('by force leaves exactly one, though twenty requests use it at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `val_${index}`);
    const { assigned, shown, listed } = await openRules({ validation_rules: ids.map((id) => ({ id, name: id })) });
    const replies = await Promise.all(ids.map((id) => assigned(id, 'voucher', 'ONE', 'force=true')));
    expect(replies.map(({ status }) => status).filter((status) => status !== 429)).toContain(200);
    expect(await shown.voucher('ONE')).toHaveLength(1);
    expect(await listed('')).toHaveLength(1);
  });

  test('is created with an object that names a rule, and deleted with its replacement', async () => {
    const { call, shown, ofRule } = await openRules();
    await call(createVoucher, {
      body: coupon('NEW', { type: 'AMOUNT', amount_off: 1 }, { validation_rules: ['val_1'] }),
    });
    const campaign = await call(createCampaign, { body: { validation_rules: ['val_1'] } });
    const tier = (data: object[]) =>
      call(updateTier, { params: { promotionTierId: 'promo_1' }, body: { validation_rule_assignments: { data } } });
    await tier([{ rule_id: 'val_1' }]);
    const types = async () => {
      const { data } = await ofRule('val_1');
      return data.map(({ related_object_type }: { related_object_type: string }) => related_object_type);
    };
    expect(await types()).toEqual(['promotion_tier', 'campaign', 'voucher']);
    expect([await shown.voucher('NEW'), await shown.campaign(campaign.body.id)]).toEqual([['val_1'], ['val_1']]);
    await tier([{ rule_id: 'val_2' }]);
    expect(await types()).toEqual(['campaign', 'voucher']);
    expect((await ofRule('val_2')).data).toHaveLength(1);
  });

  test('is listed in pages, newest first or oldest, by rule, by object, or by both', async () => {
    const { assigned, listed, ofRule } = await openRules();
    const ids: string[] = [];
    for (const code of ['ONE', 'TWO', 'THREE']) ids.push((await assigned('val_1', 'voucher', code)).body.id);
    const other = (await assigned('val_2', 'promotion_tier', 'promo_1')).body;
    expect(await listed('')).toEqual([other.id, ...ids.toReversed()]);
    expect(await listed('order=created_at&limit=2&page=2')).toEqual([ids[2], other.id]);
    expect(await listed('rule=val_1&order=created_at')).toEqual(ids);
    expect(await listed('rule=val_1&related_object_id=promo_1')).toEqual([]);
    expect(await listed('rule=val_2&related_object_id=promo_1')).toEqual([other.id]);
    expect(await ofRule('val_1', 'limit=1&page=2')).toMatchObject({ data: [{ id: ids[1] }], total: 3 });
    expect(await ofRule('val_unknown')).toMatchObject({ data: [], total: 0 });
  });

  test('of a project file is in the lists, and one that its next version leaves out is not', async () => {
    const file = projectFile(ruledLists);
    const assignment = (id: string, rule_id: string, related_object_id: string, related_object_type: string) => ({
      id,
      rule_id,
      related_object_id,
      related_object_type,
    });
    const both = [
      assignment('asgm_1', 'val_1', 'ONE', 'voucher'),
      assignment('asgm_2', 'val_2', 'dist_1', 'distribution'),
    ];
    await loadFile({ ...file, validation_rules_assignments: both });
    const headers = credentialsOf(file);
    const ids = async () => {
      const { body } = await caller(listAll)({ headers, query: 'order=created_at' });
      return body.data.map(({ id }: { id: string }) => id).sort();
    };
    expect(await ids()).toEqual(['asgm_1', 'asgm_2']);
    await loadFile({ ...file, validation_rules_assignments: both.slice(1) });
    expect(await ids()).toEqual(['asgm_2']);
  });
});

test('the list of assignments takes strict bounds of their time of creation, in both orders and beside a rule', async () => {
  const momentOf = (index: number) => `2026-01-0${index + 1}T00:00:00.000Z`;
  const codes = ['A', 'B', 'C', 'D'];
  const file = projectFile({
    vouchers: codes.map((code) => ({ code, type: 'GIFT_VOUCHER', gift: { amount: 1 } })),
    validation_rules: [
      { id: 'val_1', name: 'One', rules: {} },
      { id: 'val_2', name: 'Two', rules: {} },
    ],
    validation_rules_assignments: codes.map((code, index) => ({
      rule_id: index === 2 ? 'val_2' : 'val_1',
      related_object_type: 'voucher',
      related_object_id: code,
      created_at: momentOf(index),
    })),
  });
  await loadFile(file);
  const created = async (query: string) => {
    const { body } = await caller(listAll)({ headers: credentialsOf(file), query });
    return body.data.map(({ created_at }: { created_at: string }) => created_at);
  };
  const after = `created_at[after]=${momentOf(0)}`;
  expect(await created(`order=created_at&${after}`)).toEqual([1, 2, 3].map(momentOf));
  expect(await created(`${after}&created_at[before]=${momentOf(3)}`)).toEqual([2, 1].map(momentOf));
  expect(await created(`rule=val_1&order=created_at&${after}`)).toEqual([1, 3].map(momentOf));
});
