import { beforeAll, describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as getRule } from '../../functions/validation-rules/get-validation-rule.ts';
import { handler as listOfRule } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rules.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { handler as listAll } from '../../functions/validation-rules-assignments/list-validation-rules-assignments.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import type { Endpoint } from '../../lib/http/operation.ts';
import { validationRule } from '../../lib/rules/resource.ts';
import { caller, type Reply } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadFile, loadProject, projectFile } from '../support/project.ts';

const amount = (least: number) => ({ name: 'order.amount', conditions: { $more_than_or_equal: [least] } });
const sent = (number: number) => ({ name: `Rule ${number}`, rules: { '1': amount(number), logic: '1' } });

describeCrud('validation-rules', validationRule, {
  body: sent,
  refused: {
    name: { ...sent(1), name: 5 },
    context_type: { ...sent(1), context_type: 'nowhere' },
    'applicable_to.included[0].object': { ...sent(1), applicable_to: { included: [{ object: 'shelf', id: '1' }] } },
  },
});

const lists = {
  validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })),
  campaigns: [{ id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' }],
  promotion_tiers: [{ id: 'promo_1', name: 'T', campaign_id: 'camp_1', hierarchy: 1 }],
  vouchers: ['ONE', 'TWO', 'THREE'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER' })),
};

async function world(more: object = {}) {
  const project = await loadProject({ ...lists, ...more });
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Endpoint, request: object = {}): Promise<Reply> => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers: project.credentials, ...request });
  };
  const rule = (validationRuleId: string, more: object = {}) => ({ params: { validationRuleId, ...more } });
  const assigned = (ruleId: string, type: string, id: string, query = '') =>
    call(assign, { ...rule(ruleId), query, body: { related_object_type: type, related_object_id: id } });
  const rulesOf = (reply: Reply) => {
    const { validation_rules_assignments: one, validation_rule_assignments: other } = reply.body;
    return (one ?? other).data.map(({ rule_id }: { rule_id: string }) => rule_id);
  };
  const shown = {
    voucher: async (code: string) => rulesOf(await call(getVoucher, { params: { code } })),
    campaign: async (campaignId: string) => rulesOf(await call(getCampaign, { params: { campaignId } })),
    promotion_tier: async (promotionTierId: string) => rulesOf(await call(getTier, { params: { promotionTierId } })),
  };
  const listed = async (query: string) => {
    const { body } = await call(listAll, { query });
    return body.data.map(({ id }: { id: string }) => id);
  };
  const ofRule = async (id: string, query = '') => (await call(listOfRule, { ...rule(id), query })).body;
  return { project, call, rule, assigned, shown, listed, ofRule };
}

describe('a validation rule', () => {
  let it: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => {
    it = await world();
  });

  test('shows what was sent, and what holds where nothing was', async () => {
    const document = {
      ...sent(1),
      error: { message: 'Buy more' },
      applicable_to: { included: [{ object: 'product', id: 'prod_1', effect: 'APPLY_TO_CHEAPEST' }] },
      bundle_rules: {
        '1': {
          name: 'order.items.any',
          conditions: { $is: [{ id: 'prod_1', type: 'product_or_sku', object: 'product' }] },
          rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } }, logic: '' },
        },
      },
      type: 'advanced',
      context_type: 'campaign.promotion.discount.apply_to_items',
    };
    const { body } = await it.call(createRule, { body: document });
    const applicable_to = { ...document.applicable_to, excluded: [], included_all: false };
    expect(body).toMatchObject({ ...document, applicable_to, updated_at: null, object: 'validation_rules' });
    const cleared = await it.call(updateRule, { ...it.rule(body.id), body: { bundle_rules: null, error: null } });
    expect(Object.keys(cleared.body)).not.toContain('bundle_rules');
    expect(cleared.body).not.toHaveProperty('error');
    const plain = await it.call(createRule, { body: { name: 'Nothing' } });
    expect(plain.body).toMatchObject({
      rules: {},
      applicable_to: { included: [], excluded: [], included_all: true },
      type: 'expression',
      context_type: 'global',
    });
  });

  test.each<[string, object, string]>([
    [
      'an unknown name',
      { rules: { a: { name: 'order.colour', conditions: {} } } },
      'rules.a.name is not a name of a rule',
    ],
    [
      'an unknown key',
      { rules: { ...sent(1).rules, logic: '1 or 2' } },
      'rules.logic must name one of the rules or open a bracket at character 6',
    ],
    ['an odd bundle', { bundle_rules: { limit: 101 } }, 'bundle_rules.limit must be an integer from 1 to 100'],
  ])('with %s is refused, and nothing is kept of it', async (_, wrong, details) => {
    const known = (await it.call(createRule, { body: sent(9) })).body;
    for (const reply of [
      await it.call(createRule, { body: { ...sent(1), ...wrong } }),
      await it.call(updateRule, { ...it.rule(known.id), body: wrong }),
    ]) {
      expect(reply.body).toMatchObject({ code: 400, key: 'invalid_validation_rules' });
      expect(reply.body.details).toContain(details);
    }
    expect((await it.call(getRule, it.rule(known.id))).body).toEqual(known);
  });

  test('is checked as a whole when a part changes', async () => {
    const { body } = await it.call(createRule, { body: sent(1) });
    const reply = await it.call(updateRule, {
      ...it.rule(body.id),
      body: { context_type: 'earning_rule.custom_event' },
    });
    expect(reply.body).toMatchObject({
      key: 'invalid_validation_rules',
      details: 'rules.1.name makes no sense in the context earning_rule.custom_event',
    });
  });

  test('can be listed by name and by the time of creation', async () => {
    const own = await world({ validation_rules: [] });
    for (const name of ['b', 'c', 'a']) await own.call(createRule, { body: { name } });
    const names = async (query: string) => {
      const { body } = await own.call(listRules, { query });
      return body.data.map(({ name }: { name: string }) => name).join('');
    };
    expect([await names('order=name'), await names('order=-name'), await names('')]).toEqual(['abc', 'cba', 'acb']);
    expect(await names('start_date=2100-01-01')).toBe('');
  });

  test('is assigned at once to the voucher that its body names, or not made', async () => {
    const { body } = await it.call(createRule, { body: { ...sent(1), voucher: 'THREE' } });
    expect(await it.shown.voucher('THREE')).toEqual([body.id]);
    expect((await it.ofRule(body.id)).total).toBe(1);
    const before = (await it.call(listRules)).body.total;
    const unknown = await it.call(createRule, { body: { ...sent(1), voucher: 'NOBODY' } });
    expect(unknown.body).toMatchObject({ code: 404, resource_id: 'NOBODY', resource_type: 'voucher' });
    expect((await it.call(listRules)).body.total).toBe(before);
  });
});

test('a rule says to how much it is assigned, wherever it is shown', async () => {
  const { call, rule, assigned } = await world();
  const countOf = (reply: Reply) => reply.body.assignments_count;
  const listed = async () =>
    (await call(listRules, { query: 'order=name' })).body.data.map(
      (one: { name: string; assignments_count: number }) => [one.name, one.assignments_count],
    );
  for (const code of ['ONE', 'TWO']) await assigned('val_1', 'voucher', code);
  const { id } = (await assigned('val_1', 'campaign', 'camp_1')).body;
  expect(countOf(await call(getRule, rule('val_1')))).toBe(3);
  expect(countOf(await call(updateRule, { ...rule('val_1'), body: { name: 'A' } }))).toBe(3);
  expect(await listed()).toEqual([
    ['A', 3],
    ['val_2', 0],
  ]);
  await call(unassign, rule('val_1', { assignmentId: id }));
  await assigned('val_2', 'voucher', 'ONE', 'force=true');
  expect(await listed()).toEqual([
    ['A', 1],
    ['val_2', 1],
  ]);
  expect(countOf(await call(createRule, { body: sent(1) }))).toBe(0);
  const once = await call(createRule, { body: { ...sent(2), voucher: 'THREE' } });
  expect([countOf(once), countOf(await call(getRule, rule(once.body.id)))]).toEqual([1, 1]);
});

describe('an assignment', () => {
  test.each(['voucher', 'campaign', 'promotion_tier'] as const)(
    'of a %s is shown there and in the lists, until it is taken',
    async (type) => {
      const { call, rule, assigned, shown, listed, ofRule } = await world();
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
    const { call, rule, assigned, listed, ofRule } = await world();
    const { body } = await assigned('val_1', type, 'it_1');
    expect(await listed('related_object_id=it_1')).toEqual([body.id]);
    expect((await assigned('val_2', type, 'it_1')).body.key).toBe('duplicate_found');
    const forced = (await assigned('val_2', type, 'it_1', 'force=true')).body;
    expect(await listed('related_object_id=it_1')).toEqual([forced.id]);
    expect((await ofRule('val_1')).data).toEqual([]);
    expect((await call(unassign, rule('val_2', { assignmentId: forced.id }))).status).toBe(204);
    expect((await assigned('val_1', type, 'it_1')).status).toBe(200);
  });

  test('is the only one of its object: 409 for another, which force puts in its place', async () => {
    const { assigned, shown, listed } = await world();
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
    const { assigned } = await world();
    expect((await assigned(rule, type, id)).body).toMatchObject({ code: 404, resource_type, resource_id });
  });

  test.each<[object, string]>([
    [{}, 'must name one object'],
    [{ related_object_type: 'voucher' }, 'must have related_object_type and related_object_id together'],
    [{ voucher: 'ONE', campaign: 'camp_1' }, 'must name one object'],
    [{ related_object_type: 'shelf', related_object_id: 'x' }, 'related_object_type must be one of'],
  ])('is refused for %j', async (body, details) => {
    const { call, rule } = await world();
    const reply = await call(assign, { ...rule('val_1'), body });
    expect(reply.body).toMatchObject({ key: 'invalid_payload', details: expect.stringContaining(details) });
  });

  test('goes to one of twenty rules that ask for the object at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `val_${index}`);
    const { assigned, shown, listed } = await world({ validation_rules: ids.map((id) => ({ id, name: id })) });
    const replies = await Promise.all(ids.map((id) => assigned(id, 'voucher', 'ONE')));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await shown.voucher('ONE')).toEqual([won[0]?.body.rule_id]);
    expect(await listed('')).toEqual([won[0]?.body.id]);
  });

  test('by force leaves exactly one, though twenty do it at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `val_${index}`);
    const { assigned, shown, listed } = await world({ validation_rules: ids.map((id) => ({ id, name: id })) });
    const replies = await Promise.all(ids.map((id) => assigned(id, 'voucher', 'ONE', 'force=true')));
    expect(replies.map(({ status }) => status).filter((status) => status !== 429)).toContain(200);
    expect(await shown.voucher('ONE')).toHaveLength(1);
    expect(await listed('')).toHaveLength(1);
  });

  test('comes with what is created with a rule, and goes with what replaces it', async () => {
    const { call, shown, ofRule } = await world();
    await call(createVoucher, {
      body: {
        code: 'NEW',
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'AMOUNT', amount_off: 1 },
        validation_rules: ['val_1'],
      },
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

  test('stands in pages, newest first or oldest, of a rule, of an object, of both', async () => {
    const { assigned, listed, ofRule } = await world();
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

  test('of a project file stands in the lists, and one that its next version leaves out does not', async () => {
    const file = projectFile(lists);
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
    const headers = { 'x-app-id': file.app_keys[0]?.app_id, 'x-app-token': file.app_keys[0]?.app_token };
    const ids = async () => {
      const { body } = await caller(listAll)({ headers, query: 'order=created_at' } as never);
      return body.data.map(({ id }: { id: string }) => id).sort();
    };
    expect(await ids()).toEqual(['asgm_1', 'asgm_2']);
    await loadFile({ ...file, validation_rules_assignments: both.slice(1) });
    expect(await ids()).toEqual(['asgm_2']);
  });
});

describe('a rule that is deleted', () => {
  test('is gone at once, and moments later from all that it was assigned to', async () => {
    const codes = Array.from({ length: 30 }, (_, index) => `CODE-${index}`);
    const vouchers = codes.map((code) => ({ code, type: 'DISCOUNT_VOUCHER' }));
    const { project, call, rule, assigned, shown, listed } = await world({ vouchers });
    for (const code of codes) await assigned('val_1', 'voucher', code);
    await assigned('val_1', 'campaign', 'camp_1');
    const kept = (await assigned('val_2', 'promotion_tier', 'promo_1')).body;
    expect((await call(deleteRule, rule('val_1'))).status).toBe(204);
    expect((await call(getRule, rule('val_1'))).body).toMatchObject({ code: 404, resource_type: 'validation_rules' });
    expect((await assigned('val_1', 'voucher', 'CODE-1', 'force=true')).status).toBe(404);
    // Twice at once, and again afterwards.
    const open = await openJobs(project.id);
    await Promise.all([deliver(open), deliver(open)]);
    await runOutbox(project.id);
    await deliver(open);
    expect(await listed('')).toEqual([kept.id]);
    expect(await shown.campaign('camp_1')).toEqual([]);
    for (const code of codes) expect(await shown.voucher(code)).toEqual([]);
    expect(await shown.promotion_tier('promo_1')).toEqual(['val_2']);
    expect((await itemsOf(project.id, '')).filter(({ rule_id }) => rule_id === 'val_1')).toEqual([]);
  });

  test('leaves nothing behind of assignments that are made at the same time', async () => {
    const { project, call, rule, assigned, shown } = await world();
    const codes = ['ONE', 'TWO', 'THREE'];
    const [, ...replies] = await Promise.all([
      call(deleteRule, rule('val_1')),
      ...codes.map((code) => assigned('val_1', 'voucher', code)),
    ]);
    for (const { status } of replies) expect([200, 404]).toContain(status);
    await runOutbox(project.id);
    for (const code of codes) expect(await shown.voucher(code)).toEqual([]);
  });
});
