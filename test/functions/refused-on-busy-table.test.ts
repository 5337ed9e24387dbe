import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler as createPublication } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Fault, faults, isWrite, withoutCapacity } from '../support/faults.ts';
import { coupon, shop, vouchers } from '../support/redeeming.ts';

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy();
});
afterAll(() => proxy.close());

const order = { amount: 5_000 };

async function refused() {
  const { headers, redeem: sell } = await shop({
    campaigns: [{ id: 'camp_pool', name: 'Pool', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
    vouchers: [coupon('ONE'), { ...coupon('USED'), redemption: { quantity: 1, redeemed_quantity: 1 } }],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
  });
  const { id } = (await sell({ redeemables: vouchers('ONE'), order })).body.redemptions[0];
  const params = { redemptionId: id };
  expect((await caller(rollBack)({ headers, params, body: {} })).status).toBe(200);
  return {
    'a publication from an empty campaign': [
      createPublication,
      { headers, body: { campaign: 'Pool', customer: 'ada' } },
      'no_voucher_suitable_for_publication',
    ],
    'a redemption of a used code': [
      redeem,
      { headers, body: { redeemables: vouchers('USED'), order } },
      'quantity_exceeded',
    ],
    'a second rollback': [rollBack, { headers, params, body: {} }, 'already_rolled_back'],
  } as const;
}

const silent: Fault = ({ cut }) => cut();

/** A record of the refusal is worth less than its reason, which the caller needs. */
test.each([
  ['has no capacity', withoutCapacity],
  ['does not answer', silent],
  ['carries the write out, and its replies are lost', faults['is carried out, and its reply is lost']],
])('the caller learns why a request is refused although the table %s for its record', async (_, fault) => {
  for (const [what, [handler, request, key]] of Object.entries(await refused())) {
    const calls = proxy.run((call) => (isWrite(call) ? fault : undefined));
    const container = testDependencies({ dynamodb: proxy.client, patienceInMs: 200 });
    const { status, body } = await caller(handler, container)(request);
    expect([status, body.key], what).toEqual([400, key]);
    expect(calls.filter(isWrite).length, what).toBeGreaterThan(0);
  }
});
