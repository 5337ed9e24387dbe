import { beforeAll, describe, expect, test } from 'vitest';
import { validationRule } from '#engine/rules/resource.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as getRule } from '../../functions/validation-rules/get-validation-rule.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rules.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import type { Reply } from '../support/call.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { runOutbox } from '../support/outbox.ts';
import { openRules, type Rules } from '../support/validation-rules.ts';

const amount = (least: number) => ({ name: 'order.amount', conditions: { $more_than_or_equal: [least] } });
const sent = (number: number) => ({ name: `Rule ${number}`, rules: { '1': amount(number), logic: '1' } });

describeCrud('validation-rules', validationRule, {
  body: sent,
  read: { assignments_count: 0 },
  refused: {
    name: { ...sent(1), name: 5 },
    context_type: { ...sent(1), context_type: 'nowhere' },
    'applicable_to.included[0].object': { ...sent(1), applicable_to: { included: [{ object: 'shelf', id: '1' }] } },
  },
});

describe('a validation rule', () => {
  let it: Rules;
  beforeAll(async () => {
    it = await openRules();
  });

  test('shows the sent fields, and the defaults of others', async () => {
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
    const [entry] = document.applicable_to.included;
    const applicable_to = { included: [{ ...entry, strict: false }], included_all: false };
    expect(body).toMatchObject({ ...document, applicable_to, updated_at: null, object: 'validation_rules' });
    expect(body.applicable_to).toEqual(applicable_to);
    const read = await it.call(getRule, it.rule(body.id));
    expect(read.body).toEqual({
      ...body,
      applicable_to: { ...applicable_to, excluded: [] },
      assignments_count: 0,
    });
    const cleared = await it.call(updateRule, { ...it.rule(body.id), body: { bundle_rules: null, error: null } });
    expect(cleared.body.bundle_rules).toEqual({});
    expect(cleared.body).not.toHaveProperty('error');
    const plain = await it.call(createRule, { body: { name: 'Nothing' } });
    expect(plain.body).toMatchObject({
      rules: {},
      bundle_rules: {},
      applicable_to: null,
      type: 'expression',
      context_type: 'global',
    });
  });

  test("shows the default logic and the default of an entry's effect", async () => {
    const rules = { '1': amount(1), '2': amount(2), 'rule three': amount(3) };
    const excluded = [{ object: 'product', id: 'prod_1', strict: null, effect: null }];
    const { body } = await it.call(createRule, { body: { name: 'Plain', rules, applicable_to: { excluded } } });
    expect(body.rules).toEqual({ ...rules, logic: '1 and 2 and rule three' });
    const shown = { object: 'product', id: 'prod_1', strict: false, effect: 'APPLY_TO_EVERY' };
    expect(body.applicable_to.excluded).toEqual([shown]);
    const counted = { ...body, assignments_count: 0 };
    expect((await it.call(getRule, it.rule(body.id))).body).toEqual(counted);
    const pasted = await it.call(updateRule, { ...it.rule(body.id), body });
    expect(pasted.body).toEqual({ ...counted, updated_at: expect.any(String) });
    const changed = await it.call(updateRule, { ...it.rule(body.id), body: { rules: { x: amount(5) } } });
    expect(changed.body.rules).toEqual({ x: amount(5), logic: 'x' });
  });

  test('leaves out the logic if no expression can say it', async () => {
    const rules = { a: amount(1), b: amount(2), 'a and b': amount(3) };
    const { body } = await it.call(createRule, { body: { name: 'Odd keys', rules } });
    expect(body.rules).toEqual(rules);
  });

  test('needs no bundle if its bundle rules are empty', async () => {
    const { body } = await it.call(createRule, { body: { ...sent(1), bundle_rules: {}, type: 'basic' } });
    expect(body).toMatchObject({ bundle_rules: {}, rules: sent(1).rules });
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
  ])('with %s is refused, and not stored', async (_, wrong, details) => {
    const known = (await it.call(createRule, { body: sent(9) })).body;
    for (const reply of [
      await it.call(createRule, { body: { ...sent(1), ...wrong } }),
      await it.call(updateRule, { ...it.rule(known.id), body: wrong }),
    ]) {
      expect(reply.body).toMatchObject({ code: 400, key: 'invalid_validation_rules' });
      expect(reply.body.details).toContain(details);
    }
    expect((await it.call(getRule, it.rule(known.id))).body).toEqual({ ...known, assignments_count: 0 });
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

  test('is listed by name and by the time of creation', async () => {
    const own = await openRules({ validation_rules: [] });
    for (const name of ['b', 'c', 'a']) await own.call(createRule, { body: { name } });
    const names = async (query: string) => {
      const { body } = await own.call(listRules, { query });
      return body.data.map(({ name }: { name: string }) => name).join('');
    };
    expect([await names('order=name'), await names('order=-name'), await names('')]).toEqual(['abc', 'cba', 'acb']);
    expect(await names('start_date=2100-01-01')).toBe('');
  });

  test('is assigned at once to the voucher in its body, or not created', async () => {
    const { body } = await it.call(createRule, { body: { ...sent(1), voucher: 'THREE' } });
    expect(await it.shown.voucher('THREE')).toEqual([body.id]);
    expect((await it.ofRule(body.id)).total).toBe(1);
    const before = (await it.call(listRules)).body.total;
    const unknown = await it.call(createRule, { body: { ...sent(1), voucher: 'NOBODY' } });
    expect(unknown.body).toMatchObject({ code: 404, resource_id: 'NOBODY', resource_type: 'voucher' });
    expect((await it.call(listRules)).body.total).toBe(before);
  });
});

test('shows its number of assignments when it is read, listed or changed', async () => {
  const { call, rule, assigned } = await openRules();
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
  expect((await call(createRule, { body: sent(1) })).body).not.toHaveProperty('assignments_count');
  const once = await call(createRule, { body: { ...sent(2), voucher: 'THREE' } });
  expect(once.body).not.toHaveProperty('assignments_count');
  expect(countOf(await call(getRule, rule(once.body.id)))).toBe(1);
});

describe('a deleted rule', () => {
  test('is no longer found or assigned, and stays with its resources', async () => {
    const { project, call, rule, assigned, shown, listed } = await openRules();
    const ids = [];
    for (const code of ['ONE', 'TWO']) ids.push((await assigned('val_1', 'voucher', code)).body.id);
    const kept = (await assigned('val_2', 'promotion_tier', 'promo_1')).body.id;
    const deletions = await Promise.all(Array.from({ length: 5 }, () => call(deleteRule, rule('val_1'))));
    expect(deletions.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404]);
    expect((await call(getRule, rule('val_1'))).body).toMatchObject({ code: 404, resource_type: 'validation_rules' });
    expect((await assigned('val_1', 'voucher', 'THREE')).status).toBe(404);
    await runOutbox(project.id);
    expect(await listed('order=created_at')).toEqual([...ids, kept]);
    expect(await shown.voucher('ONE')).toEqual(['val_1']);
    await call(unassign, rule('val_1', { assignmentId: ids[0] }));
    expect(await shown.voucher('ONE')).toEqual([]);
    expect(await listed('order=created_at')).toEqual([ids[1], kept]);
  });

  test('is assigned before its deletion or not at all by simultaneous calls', async () => {
    const { call, rule, assigned, shown } = await openRules();
    const codes = ['ONE', 'TWO', 'THREE'];
    const [, ...replies] = await Promise.all([
      call(deleteRule, rule('val_1')),
      ...codes.map((code) => assigned('val_1', 'voucher', code)),
    ]);
    for (const [index, code] of codes.entries()) {
      const { status } = replies[index] ?? {};
      expect([200, 404]).toContain(status);
      expect(await shown.voucher(code)).toEqual(status === 200 ? ['val_1'] : []);
    }
  });
});
