import { describe, expect, test } from 'vitest';
import { findOperation } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { valuesBefore as old, declaredProperties as properties } from '../support/declared-metadata.ts';
import { loadProject } from '../support/project.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };

async function world(lists: object = {}) {
  const project = await loadProject({ customers: [{ id: 'cust_a', source_id: 'a', metadata: old }], ...lists });
  const call = (name: string, request: object) =>
    caller(findOperation(name).handler)({ headers: project.credentials, ...request });
  const declare = async (...resources: string[]) => {
    for (const related_object of resources) {
      const body = { related_object, properties };
      expect((await call('create-metadata-schema', { params: { projectId: project.id }, body })).status).toBe(200);
    }
  };
  return { call, declare };
}

/** Conditions that hold only as the type is declared. */
const conditions: [string, object][] = [
  ['size', { $more_than: [9] }],
  ['size', { $less_than_equal: ['10'] }],
  ['since', { $is: ['2026-02-01T01:30:00Z'] }],
  ['since', { $is: ['2026-02-01'] }],
  ['born', { $is: ['2026-02-01T00:00:00Z'] }],
  ['place', { $is: ['geo:59.5,10'] }],
];

describe('a declared type', () => {
  test.each(conditions)('decides how segments compare: %s %j', async (key, filter) => {
    const { call, declare } = await world();
    const segment = {
      name: 'Some',
      type: 'auto-update',
      filter: { junction: 'and', [`metadata.${key}`]: { conditions: filter } },
    };
    await call('create-segment', { body: { ...segment, type: 'passive' } });
    const isIn = async () =>
      (await call('list-customer-segments', { params: { customerId: 'a' } })).body.data.length === 1;
    expect(await isIn()).toBe(false);
    await declare('customer');
    expect(await isIn()).toBe(true);
  });

  test.each(conditions)('decides how lists filter: %s %j', async (key, filter) => {
    const { call, declare } = await world();
    const [[operator, [value]]] = Object.entries(filter) as [[string, unknown[]]];
    const query = `filters[metadata.${key}][conditions][${operator}]=${encodeURIComponent(String(value))}`;
    const found = async () => (await call('list-customers', { query })).body.customers.length;
    expect(await found()).toBe(0);
    await declare('customer');
    expect(await found()).toBe(1);
  });

  test.each(conditions)('decides how validation rules compare: %s %j', async (property, rule) => {
    const rules = { '1': { name: 'customer.metadata', property, conditions: rule }, logic: '1' };
    const { call, declare } = await world({
      validation_rules: [{ id: 'val_1', name: 'Some', rules }],
      vouchers: [{ ...coupon, code: 'A' }],
      validation_rules_assignments: [{ rule_id: 'val_1', related_object_type: 'voucher', related_object_id: 'A' }],
    });
    const body = {
      redeemables: [{ object: 'voucher', id: 'A' }],
      customer: { source_id: 'a' },
      order: { amount: 100 },
    };
    const isValid = async () => (await call('validate-redeemables', { body })).body.valid;
    expect(await isValid()).toBe(false);
    await declare('customer');
    expect(await isValid()).toBe(true);
  });
});
