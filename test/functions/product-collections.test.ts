import { describe, expect, test } from 'vitest';
import { collection } from '#engine/catalogue/collections/resource.ts';
import { handler as remove } from '../../functions/product-collections/delete-product-collection.ts';
import { handler as get } from '../../functions/product-collections/get-product-collection.ts';
import { handler as list } from '../../functions/product-collections/list-product-collections.ts';
import { handler as update } from '../../functions/product-collections/update-product-collection.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { caller } from '../support/call.ts';
import { observed } from '../support/commands.ts';
import { testDependencies } from '../support/dependencies.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { asks, dynamic, filterOf, shop } from '../support/product-collections.ts';
import { loadProject } from '../support/project.ts';

describeCrud('product-collections', collection, {
  body: (number) => dynamic(filterOf('price', { $more_than: [number] }), `Over ${number}`),
  refused: {
    name: dynamic(filterOf('price', { $more_than: [1] }), ''),
    'filter.junction': dynamic(filterOf('price', { $more_than: [1] }, 'nor')),
    filter: dynamic({ junction: 'or' }),
    'filter.prize': dynamic(filterOf('prize', { $is: [1] })),
    'filter.name.conditions.$count': dynamic(filterOf('name', { $count: [1] })),
  },
});

test.each([
  [{ name: 'Neither' }, 'type is required'],
  [{ name: 'Neither', type: 'BOTH' }, 'type must be one of STATIC, AUTO_UPDATE'],
])('a collection of neither type is refused: %j', async (body, details) => {
  const reply = await asks(await loadProject()).create(body);
  expect([reply.status, reply.body.details]).toEqual([400, details]);
});

describe('a collection in rules', () => {
  const filter = filterOf('price', { $more_than: [1] });
  async function named() {
    const project = await shop();
    const { create: make, at } = asks(project);
    const { id } = (await make(dynamic(filter))).body;
    const headers = project.credentials;
    const entry = { object: 'products_collection', id };
    const rules = {
      entry: { applicable_to: { excluded: [entry] } },
      rule: { rules: { '1': { name: 'product.id', conditions: { $is: ['prod_a', id] } } } },
      bundle: {
        bundle_rules: {
          '1': {
            name: 'order.items.any',
            conditions: { $is: [{ ...entry, type: 'products_collection' }] },
            rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
          },
        },
      },
    };
    return {
      id,
      at,
      rules,
      make: (document: object) => caller(createRule)({ headers, body: { name: 'R', ...document } }),
      change: (validationRuleId: string, body: object) =>
        caller(updateRule)({ headers, params: { validationRuleId }, body }),
      drop: (validationRuleId: string) => caller(deleteRule)({ headers, params: { validationRuleId } }),
      remove: () => caller(remove)(at(id)),
      read: () => caller(get)(at(id)),
    };
  }

  test('is not deleted while rules name it, and the error names the rules', async () => {
    const { id, rules, make, change, drop, remove: removing, read } = await named();
    const made = [];
    for (const document of Object.values(rules)) made.push((await make(document)).body.id);
    await make({ rules: { '1': { name: 'product.id', conditions: { $is: ['pc_other'] } } } });
    const refused = await removing();
    expect(refused.body).toMatchObject({
      code: 400,
      key: 'resource_in_use',
      resource_id: id,
      resource_type: 'products_collection',
      related_object_ids: made.toSorted(),
      related_object_type: 'validation_rules',
    });
    expect((await read()).status).toBe(200);
    await change(made[0], { applicable_to: null });
    await drop(made[1]);
    expect((await removing()).body.related_object_ids).toEqual([made[2]]);
    await change(made[2], { bundle_rules: null });
    expect((await removing()).status).toBe(204);
    expect((await read()).status).toBe(404);
  });

  test('is not deleted if a rule names it between the check and the deletion', async () => {
    for (const how of ['make', 'change'] as const) {
      const { rules, make, change, at, id } = await named();
      const known = (await make({})).body.id;
      const meanwhile = { make: () => make(rules.entry), change: () => change(known, rules.rule) };
      let rule: string | undefined;
      const dependencies = testDependencies();
      const dynamodb = observed(dependencies.dynamodb, {
        before: async ({ name }) => {
          if (name === 'TransactWriteCommand') rule ??= (await meanwhile[how]()).body.id;
        },
      });
      const { body } = await caller(remove, { ...dependencies, dynamodb })(at(id));
      expect(rule).toMatch(/^val_/);
      expect(body).toMatchObject({ key: 'resource_in_use', related_object_ids: [rule] });
      expect((await caller(get)(at(id))).status).toBe(200);
    }
  });

  test('is named by each of twenty rules that are created at once', async () => {
    const { rules, make, remove: removing } = await named();
    const made = await Promise.all(Array.from({ length: 20 }, () => make(rules.rule)));
    expect((await removing()).body.related_object_ids).toEqual(made.map(({ body }) => body.id).sort());
  });
});

test('All Products exists in every project, and nobody can change or delete it', async () => {
  const project = await shop();
  const { at } = asks(project);
  const { body } = await caller(get)(at('pc_a11pr0dUc75'));
  expect(body).toMatchObject({ id: 'pc_a11pr0dUc75', name: 'All Products', object: 'products_collection' });
  for (const reply of [
    await caller(update)({ ...at(body.id), body: { name: 'Some' } }),
    await caller(remove)(at(body.id)),
  ]) {
    expect([reply.status, reply.body.key]).toEqual([400, 'resource_protected']);
  }
  expect((await caller(list)({ headers: project.credentials })).body).toMatchObject({ data: [], total: 0 });
});

test('a project has at most 100 collections, also with concurrent requests', async () => {
  const product_collections = Array.from({ length: 95 }, (_, index) => ({ name: `C${index}`, type: 'STATIC' }));
  const { create: make, at } = asks(await loadProject({ product_collections }));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => make({ type: 'STATIC', name: 'One more', products: [] })),
  );
  const made = replies.filter(({ status }) => status === 200);
  expect(made).toHaveLength(5);
  expect(new Set(replies.map(({ body }) => body.key))).toEqual(new Set([undefined, 'too_many_resources']));
  expect((await caller(remove)(at(made[0]?.body.id))).status).toBe(204);
  expect((await make({ type: 'STATIC', name: 'Another', products: [] })).status).toBe(200);
});
