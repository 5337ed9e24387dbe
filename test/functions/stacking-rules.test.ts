import { beforeAll, describe, expect, test } from 'vitest';
import { defaultStackingRules } from '#engine/checkout/engine/stacking-rules.ts';
import { maxCategories } from '#engine/checkout/stacking-rules/stored.ts';
import { testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { rulesOf } from '../support/stacking-rules.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `cat_${index}`);
const withCategories = (count = 8) => loadProject({ categories: ids(count).map((id) => ({ id, name: id })) });

const shownDefaults = { ...defaultStackingRules, object: 'stacking_rules' };

describe('the stacking rules of a project', () => {
  test('are the defaults until it has its own, and again when those are deleted', async () => {
    const own = rulesOf(await withCategories());
    expect((await own.list()).body).toEqual({ object: 'list', data_ref: 'data', data: [shownDefaults], total: 1 });
    expect(await own.held()).toBeUndefined();
    const { status, body } = await own.create({ joint_categories: ['cat_1'], redeemables_limit: 3 });
    expect([status, body]).toEqual([
      200,
      {
        ...shownDefaults,
        id: expect.stringMatching(/^stk_/),
        joint_categories: ['cat_1'],
        redeemables_limit: 3,
        applicable_redeemables_limit: 3,
        created_at: testTime.toISOString(),
        updated_at: null,
      },
    ]);
    expect((await own.get(body.id)).body).toEqual(body);
    expect((await own.list()).body.data).toEqual([body]);
    const { id, created_at, updated_at, object, ...rules } = body;
    expect(await own.held()).toEqual(rules);
    expect((await own.remove(body.id)).status).toBe(204);
    expect((await own.list()).body.data).toEqual([shownDefaults]);
    expect(await own.held()).toBeUndefined();
    for (const reply of [await own.get(id), await own.update(id, {}), await own.remove(id)]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'stacking_rules', resource_id: id });
    }
  });

  test('change by the sent fields, lists as a whole, and a checkout sees it at once', async () => {
    const own = rulesOf(await withCategories());
    const { body } = await own.create({
      exclusive_categories: ['cat_1', 'cat_2'],
      redeemables_application_mode: 'ALL',
    });
    await own.held();
    own.clock.advance(60);
    const sent = { exclusive_categories: ['cat_3'], applicable_redeemables_per_category_limit: null };
    const changed = await own.update(body.id, sent);
    expect(changed.body).toEqual({ ...body, ...sent, updated_at: '2026-06-15T12:01:00.000Z' });
    expect((await own.get(body.id)).body).toEqual(changed.body);
    expect(await own.held()).toMatchObject(sent);
  });

  test('are created once by twenty callers at once', async () => {
    const own = rulesOf(await withCategories());
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.create({ joint_categories: ['cat_1'] })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ key: 'stacking_rules_exist' });
  });

  test('keep the changes of twenty callers at once', async () => {
    const own = rulesOf(await withCategories(20));
    const { id } = (await own.create()).body;
    const replies = await Promise.all(
      ids(20).map((one, index) =>
        own.update(id, index % 2 ? { joint_categories: [one] } : { exclusive_categories: [one] }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { joint_categories, exclusive_categories } = (await own.get(id)).body;
    expect([joint_categories, exclusive_categories].map(({ length }) => length)).toEqual([1, 1]);
    expect(await own.held()).toMatchObject({ joint_categories, exclusive_categories });
  });

  test('are a 404 in an unknown project', async () => {
    const own = rulesOf({ ...(await loadProject()), id: 'proj_nobody' });
    for (const reply of [await own.create(), await own.list(), await own.get('stk_1'), await own.remove('stk_1')]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project', resource_id: 'proj_nobody' });
    }
  });
});

describe('stacking rules are refused', () => {
  let own: ReturnType<typeof rulesOf>;
  let id: string;

  beforeAll(async () => {
    own = rulesOf(await withCategories());
    id = (await own.create({ exclusive_categories: ['cat_1'], redeemables_limit: 10 })).body.id;
  });

  test.each([
    ['redeemables_limit', 0, 'must be 1 or more'],
    ['redeemables_limit', 31, 'must be at most 30'],
    ['redeemables_limit', null, 'must be a number'],
    ['applicable_redeemables_limit', 31, 'must be at most 30'],
    ['applicable_redeemables_limit', 11, 'must be at most redeemables_limit'],
    ['applicable_redeemables_per_category_limit', 31, 'must be at most 30'],
    ['applicable_exclusive_redeemables_limit', 6, 'must be at most 5'],
    ['applicable_exclusive_redeemables_per_category_limit', 6, 'must be at most 5'],
    ['applicable_redeemables_category_limits', { cat_1: 11 }, '.cat_1 must be at most 10'],
    ['joint_categories', 'cat_1', 'must be an array'],
    ['joint_categories', ['cat_2', 'cat_2'], 'must not have a category twice'],
    ['joint_categories', ['cat_1'], 'must not have cat_1, which exclusive_categories has'],
    ['joint_categories', ids(maxCategories + 1), `must have at most ${maxCategories} categories`],
    ['redeemables_application_mode', 'SOME', 'must be one of ALL, PARTIAL'],
    ['redeemables_sorting_rule', 'NONE', 'must be one of REQUESTED_ORDER, CATEGORY_HIERARCHY'],
    ['grouped_redeemables_sorting_rule', 'JOINT_FIRST', 'must be JOINT_ALWAYS_LAST'],
    ['redeemables_products_application_mode', 'TWICE', 'must be one of STACK, ONCE'],
    ['redeemables_no_effect_rule', true, 'must be one of REDEEM_ANYWAY, SKIP'],
    ['discount_calculation_mode', '', 'must be one of INITIAL_AMOUNT, DISCOUNTED_AMOUNT'],
    ['redeemables_rollback_order_mode', 'ORDER', 'must be one of WITH_ORDER, WITHOUT_ORDER'],
  ])('for a wrong %s, %#', async (field, value, rule) => {
    const { status, body } = await own.update(id, { [field]: value });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain(rule.startsWith('.') ? `${field}${rule}` : `${field} ${rule}`);
  });

  test('with every fault at once, also those between lists', async () => {
    const { body } = await own.update(id, {
      redeemables_limit: 40,
      no_effect_skip_categories: ['cat_1', 'cat_2'],
      no_effect_redeem_anyway_categories: ['cat_2'],
      initial_amount_mode_categories: ['cat_3'],
      discounted_amount_mode_categories: ['cat_3', 'cat_4'],
    });
    expect(body.details.split('; ')).toEqual([
      'redeemables_limit must be at most 30',
      'no_effect_redeem_anyway_categories must not have cat_2, which no_effect_skip_categories has',
      'discounted_amount_mode_categories must not have cat_3, which initial_amount_mode_categories has',
    ]);
  });

  test('for more categories than fit together', async () => {
    const { body } = await own.update(id, {
      joint_categories: ids(maxCategories).map((one) => `${one}-a`),
      no_effect_skip_categories: ['cat_2'],
    });
    expect(body.details).toContain(`the other lists must have at most ${maxCategories} categories`);
  });

  test('for an unknown category', async () => {
    for (const sent of [{ joint_categories: ['cat_9'] }, { applicable_redeemables_category_limits: { cat_9: 1 } }]) {
      const { body } = await own.update(id, sent);
      expect(body).toMatchObject({ code: 404, resource_type: 'category', resource_id: 'cat_9' });
    }
  });
});

describe('a category that stacking rules name', () => {
  const naming = (id: string) => ({
    exclusive_categories: [id],
    no_effect_skip_categories: [id, 'cat_2'],
    applicable_redeemables_category_limits: { [id]: 2, cat_2: 3 },
  });

  test('is deleted only with its place in them', async () => {
    const own = rulesOf(await withCategories());
    const { body } = await own.create(naming('cat_1'));
    expect((await own.removeCategory('cat_1')).body).toMatchObject({
      code: 400,
      key: 'resource_in_use',
      related_object_ids: [body.id],
      related_object_type: 'stacking_rules',
    });
    expect((await own.removeCategory('cat_3')).status).toBe(204);
    expect((await own.removeCategory('cat_1', 'remove_from_stacking_rules=true')).status).toBe(204);
    const without = {
      exclusive_categories: [],
      no_effect_skip_categories: ['cat_2'],
      applicable_redeemables_category_limits: { cat_2: 3 },
    };
    expect((await own.get(body.id)).body).toMatchObject(without);
    expect(await own.held()).toMatchObject(without);
  });

  test('is not deleted if rules name it meanwhile', async () => {
    for (let round = 0; round < 10; round++) {
      const own = rulesOf(await withCategories());
      const [removed, made] = await Promise.all([own.removeCategory('cat_1'), own.create(naming('cat_1'))]);
      expect([
        [204, 404],
        [400, 200],
      ]).toContainEqual([removed.status, made.status]);
    }
  });
});
