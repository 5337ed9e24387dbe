import { afterAll, describe, expect, test } from 'vitest';
import { Table } from '#kernel/table/table.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { fileTable, testDependencies, testTime } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { type Call, conflicts, type Fault, faults, isWrite, type Plan, withoutCapacity } from '../support/faults.ts';
import { itemsOf } from '../support/outbox.ts';
import { coupon, giftCard, shop, vouchers } from '../support/redeeming.ts';

const proxy = await startFaultProxy();
afterAll(() => proxy.close());

/** The promise is one second. A busy machine needs more time. */
const aSecondInMs = 1_000;
/** It exceeds the wait for capacity, and is shorter than the wait for conflicts. */
const aWhileInMs = 800;

const openShop = () =>
  shop({
    vouchers: [coupon('SALE', { redemption: { quantity: 100 } }), giftCard('GIFT', 1_000)],
  });

const order = { amount: 5_000 };

/** A released hold leaves counts of 0, and the time of its next check. */
const comparable = (items: readonly Record<string, unknown>[]) =>
  new Map(
    items.map(({ dueAt, dueShard, holds_taken, ...others }) => [
      `${others.pk} ${others.sk}`,
      Object.fromEntries(Object.entries(others).filter(([, value]) => value !== 0)),
    ]),
  );

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Sends one request through the proxy. Returns its time and its writes. */
async function ask({ headers }: Shop, plan: Plan, code = 'SALE') {
  const logged: Record<string, unknown>[] = [];
  const log = (line: string) => logged.push(JSON.parse(line));
  const dependencies = testDependencies({ dynamodb: proxy.client, log });
  const redeemable = code === 'GIFT' ? { gift: { credits: 100 } } : {};
  const body = { redeemables: vouchers(code).map((one) => ({ ...one, ...redeemable })), order };
  const calls = proxy.run(plan);
  const startedAt = performance.now();
  const reply = await caller(redeem, dependencies)({ headers, body });
  const tookInMs = performance.now() - startedAt;
  const writes = calls.filter(isWrite).length;
  proxy.run();
  return { reply, tookInMs, writes, line: logged.at(-1) };
}

const isTransaction = ({ operation }: Pick<Call, 'operation'>) => operation === 'TransactWriteItems';

/** Makes a fault of every write, for this long. */
function writesMeet(fault: Fault, forMs = Number.POSITIVE_INFINITY, meets: typeof isWrite = isWrite): Plan {
  let since: number | undefined;
  return (call) => {
    if (!meets(call)) return undefined;
    since ??= performance.now();
    return performance.now() - since < forMs ? fault : undefined;
  };
}

describe('a table without capacity for a key', () => {
  const refusals: [string, Plan][] = [
    ['a partition is too busy', writesMeet(withoutCapacity)],
    ['the table is throttled', writesMeet(faults['is throttled'])],
    // The reserved uses are released first.
    ['transactions alone are refused', writesMeet(withoutCapacity, Number.POSITIVE_INFINITY, isTransaction)],
  ];
  test.each(refusals.flatMap(([name, plan]) => ['SALE', 'GIFT'].map((code) => [code, name, plan] as const)))(
    'refuses a redemption of %s within a second, and leaves nothing behind: %s',
    async (code, _, plan) => {
      const fair = await openShop();
      const before = await itemsOf(fair.id, '');
      const { reply, tookInMs, writes, line } = await ask(fair, plan, code);
      expect(reply).toMatchObject({ status: 429, body: { key: 'too_many_requests' } });
      expect(reply.body.details).toContain('no capacity');
      expect(['1', '2', '3']).toContain(reply.headers['Retry-After']);
      expect(tookInMs).toBeLessThan(aSecondInMs);
      // There are a few attempts in half a second, for any number of layers.
      expect(writes).toBeLessThan(20);
      expect(line).toMatchObject({ error_key: 'too_many_requests', refused_for: 'capacity' });
      expect(comparable(await itemsOf(fair.id, ''))).toEqual(comparable(before));
      expect((await ask(fair, () => undefined, code)).reply.status).toBe(200);
    },
  );

  test('refuses reads as early, so that no container waits for them', async () => {
    const fair = await openShop();
    const { reply, tookInMs } = await ask(fair, () => faults['is told that the throughput is exceeded']);
    expect(reply).toMatchObject({ status: 429, body: { key: 'too_many_requests' } });
    expect(tookInMs).toBeLessThan(aSecondInMs);
  });

  test('frees the idempotency key of a refused request', async () => {
    const fair = await openShop();
    const headers = { ...fair.headers, 'idempotency-key': 'one' };
    const isOfKey = (body: unknown) => JSON.stringify(body).includes('IDEMPOTENCY_KEY');
    const plan: Plan = (call) =>
      isWrite(call) && (isTransaction(call) || !isOfKey(call.body)) ? withoutCapacity : undefined;
    expect((await ask({ ...fair, headers }, plan)).reply.status).toBe(429);
    expect((await ask({ ...fair, headers }, () => undefined)).reply.status).toBe(200);
  });

  test('delays a committed request, so that its reply still has the result', async () => {
    const { headers } = await openShop();
    let done = 0;
    proxy.run((call) => {
      if (isWrite(call)) done = performance.now();
      else if (done > 0 && performance.now() - done < aWhileInMs) return faults['is throttled'];
      return undefined;
    });
    const dependencies = testDependencies({ dynamodb: proxy.client });
    const body = { metadata: { shelf: 3 } };
    const reply = await caller(updateVoucher, dependencies)({ headers, params: { code: 'SALE' }, body });
    proxy.run();
    expect(reply).toMatchObject({ status: 200, body: { metadata: { shelf: 3 } } });
  });
});

test('a request waits longer for conflicting changes than for a table without capacity', async () => {
  const fair = await openShop();
  const { reply, tookInMs } = await ask(fair, writesMeet(conflicts['meets another transaction'], aWhileInMs));
  expect(reply.status).toBe(200);
  expect(tookInMs).toBeGreaterThan(aWhileInMs);
  expect((await fair.read('SALE')).redemption).toMatchObject({ redeemed_quantity: 1 });
});

test('background work waits for capacity as long as for conflicts', async () => {
  const table = new Table(proxy.client, fileTable(), testTime);
  proxy.run(writesMeet(withoutCapacity, aWhileInMs));
  const key = { pk: `patient-${crypto.randomUUID()}`, sk: 'ITEM' };
  expect(await table.insert(key, { kind: 'ITEM' })).toBe(true);
  proxy.run();
});
