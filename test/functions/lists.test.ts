import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { isList } from '#kernel/http/unknown-params.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as create } from '../../functions/vouchers/create-voucher-with-code.ts';
import { operations } from '../../infra/operations.ts';
import type { Request } from '../support/api-event.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { describeList } from '../support/describe-list.ts';
import { binnedIn, requestsTo } from '../support/one-of-each.ts';

/** Checks every list of the demo project by its description. */

const lists = operations.filter(({ route }) => isList(route));
const dependencies = testDependencies({ managementGuard: 'open' });
let requestTo: Awaited<ReturnType<typeof requestsTo>>;

/** Adds resources to the demo project, so that its lists have several elements. */
async function addMore(headers: Record<string, string>) {
  const post = async (handler: Endpoint, request: Request) => {
    const { status, body } = await caller(handler, dependencies)({ headers, ...request });
    expect([status, body.details]).toEqual([200, undefined]);
  };
  await post(create, {
    params: { code: 'LISTED' },
    body: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
  });
  for (let times = 1; times <= 3; times += 1) {
    await post(adjustBalance, {
      params: { memberId: 'CREW-INGRID' },
      body: { points: times, expiration_type: 'NON_EXPIRING' },
    });
    await post(publish, { body: { campaign: { name: 'Gift tins' }, customer: { id: 'cust_ingrid' } } });
    await post(redeem, { body: { redeemables: [{ object: 'voucher', id: 'LISTED' }], order: { amount: 5_000 } } });
    await binnedIn(headers, dependencies);
  }
}

beforeAll(async () => {
  const demo = await loadDemo(dependencies);
  await addMore(demo.credentials);
  const ofExamples = await requestsTo(demo, dependencies);
  requestTo = (operation) => {
    const request = ofExamples(operation);
    return request.params?.code === 'TIDE-HELLO' ? { ...request, params: { code: 'LISTED' } } : request;
  };
});

/** Orders that place elements without a value last in either direction. */
const lastWithout: Readonly<Record<string, readonly string[]>> = {
  'list-customer-activities': ['code', 'campaign', 'category'],
  'list-vouchers': ['updated_at'],
};

test('lists of every kind exist', () => {
  expect(lists.length).toBeGreaterThan(50);
});

describe.each(lists)('$name', (operation) => {
  const { [operation.name]: oneWay = [] } = lastWithout;
  describeList(operation, { request: () => requestTo(operation), dependencies, oneWay });
});
