import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { isList } from '../../lib/http/unknown-params.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { describeList } from '../support/describe-list.ts';
import { requestsTo } from '../support/one-of-each.ts';

/** Checks every list of the demo project by its description. */

const lists = operations.filter(({ route }) => isList(route));
const dependencies = testDependencies({ managementGuard: 'open' });
let requestTo: Awaited<ReturnType<typeof requestsTo>>;

beforeAll(async () => {
  requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
});

/** Orders that place elements without a value last in either direction. */
const lastWithout: Readonly<Record<string, readonly string[]>> = {
  'list-customer-activities': ['code', 'campaign', 'category'],
  'list-vouchers': ['updated_at'],
};

test('there are lists of every kind', () => {
  expect(lists.length).toBeGreaterThan(50);
});

describe.each(lists)('$name', (operation) => {
  const { [operation.name]: oneWay = [] } = lastWithout;
  describeList(operation, { request: () => requestTo(operation), dependencies, oneWay });
});
