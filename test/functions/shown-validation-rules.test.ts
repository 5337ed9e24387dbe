import { expect, test } from 'vitest';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as getRule } from '../../functions/validation-rules/get-validation-rule.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rules.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { caller } from '../support/call.ts';
import { openSubscribed } from '../support/hearing.ts';
import { loadProject } from '../support/project.ts';

/** A rule has the same fields in the replies of its reading, its change and its list. Its creation leaves out what is empty. */

const discount = { type: 'AMOUNT', amount_off: 100 };
const product = { object: 'product', id: 'prod_tea' };
const entry = { ...product, strict: false, effect: 'APPLY_TO_EVERY' };
const none = { included: [], excluded: [], included_all: false };

/** The sent products, and the products in every reply. */
const products: [what: string, sent: unknown, shown: unknown][] = [
  ['no products', undefined, null],
  ['null for the products', null, null],
  ['no side of the products', {}, none],
  ['included products', { included: [product] }, { ...none, included: [entry] }],
  ['excluded products', { excluded: [product] }, { ...none, excluded: [entry] }],
  [
    'all products but one',
    { included_all: true, excluded: [product] },
    { ...none, excluded: [entry], included_all: true },
  ],
];

const { credentials: headers } = await loadProject({
  products: [{ id: 'prod_tea', name: 'Tea', price: 500 }],
  validation_rules: products.map(([name, applicable_to], index) => ({
    ...{ id: `val_${index}`, name: `From a file with ${name}`, rules: {} },
    ...(applicable_to === undefined ? {} : { applicable_to }),
  })),
});
const about = (validationRuleId: string) => ({ headers, params: { validationRuleId } });

/** Returns the entry of the list of all rules. */
async function listed(id: string) {
  const { body } = await caller(listRules)({ headers, query: 'limit=100' });
  return body.data.find((one: { id: string }) => one.id === id);
}

test.each(products)('a rule that is made with %s is shown in full from then on', async (name, applicable_to, shown) => {
  const { status, body } = await caller(createRule)({ headers, body: { name, applicable_to } });
  expect([status, body.details]).toEqual([200, undefined]);
  const full = {
    ...{ id: expect.stringMatching(/^val_/), name, rules: {}, bundle_rules: {}, applicable_to: shown },
    ...{ type: 'expression', context_type: 'global', assignments_count: 0, object: 'validation_rules' },
    ...{ created_at: expect.any(String), updated_at: null },
  };
  expect({ ...full, ...body, applicable_to: shown }).toEqual(full);
  const { body: read } = await caller(getRule)(about(body.id));
  expect(read).toEqual({ ...full, id: body.id, created_at: body.created_at });
  expect(await listed(body.id)).toEqual(read);
  const { body: changed } = await caller(updateRule)({ ...about(body.id), body: { error: { message: 'No' } } });
  expect(changed).toEqual({ ...read, error: { message: 'No' }, updated_at: expect.any(String) });
});

test.each(products.map(([name, , shown], index) => [name, `val_${index}`, shown] as const))(
  'a rule of a project file with %s is shown in full',
  async (_, id, applicable_to) => {
    const { body } = await caller(getRule)(about(id));
    expect(body).toMatchObject({ applicable_to, bundle_rules: {}, assignments_count: 0, updated_at: null });
    expect(await listed(id)).toEqual(body);
  },
);

test('events show a rule as a request would, with its number of assignments', async () => {
  const own = await openSubscribed([
    'business_validation_rule.created',
    'business_validation_rule.updated',
    'business_validation_rule.assignment.created',
  ]);
  const heard = async () => {
    await own.settleAll();
    return own.receiver.heard.at(-1)?.body;
  };
  const { body: made } = await own.call(createRule, { body: { name: 'Large carts' } });
  expect(await heard()).toMatchObject({ type: 'business_validation_rule.created', data: { rule: made } });
  const params = { validationRuleId: made.id };
  await own.call(createVoucher, { body: { code: 'ONE', type: 'DISCOUNT_VOUCHER', discount } });
  await own.call(assign, { params, body: { related_object_type: 'voucher', related_object_id: 'ONE' } });
  const shown = { ...made, assignments_count: 1 };
  expect(await heard()).toMatchObject({ type: 'business_validation_rule.assignment.created', data: { rule: shown } });
  const { body: changed } = await own.call(updateRule, { params, body: { name: 'Larger carts' } });
  expect(changed.assignments_count).toBe(1);
  expect(await heard()).toMatchObject({ type: 'business_validation_rule.updated', data: { rule: changed } });
});
