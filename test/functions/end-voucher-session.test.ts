import { expect, test } from 'vitest';
import { handler } from '../../functions/vouchers/end-voucher-session.ts';
import { handler as endAllHandler } from '../../functions/vouchers/end-voucher-sessions.ts';
import { handler as getHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { isWrite } from '../support/faults.ts';
import { lateWrites } from '../support/late-writes.ts';
import { insertLock } from '../support/locks.ts';
import { loadProject } from '../support/project.ts';

async function locked() {
  const project = await loadProject({
    vouchers: [
      { code: 'BEANS', type: 'DISCOUNT_VOUCHER', active: true, redemption: { quantity: 3 } },
      { code: 'WATER', type: 'DISCOUNT_VOUCHER', active: true },
      { code: 'MILK', type: 'GIFT_VOUCHER', active: true, gift: { amount: 500 } },
    ],
  });
  await insertLock(project.id, { code: 'BEANS', session: { key: 'till-1' } });
  await insertLock(project.id, { code: 'MILK', session: { key: 'till-1' }, by: { credits: 200 } });
  const { credentials: headers } = project;
  const end = (code: string, sessionKey: string) => caller(handler)({ headers, params: { code, sessionKey } });
  const shown = async (code: string) => (await caller(getHandler)({ headers, params: { code } })).body;
  return { project, end, shown };
}

test('a session ends once, for one voucher, and only by its own key', async () => {
  const { end } = await locked();
  expect(await end('BEANS', 'till-2')).toMatchObject({ status: 404, body: { resource_type: 'session' } });
  const all = await Promise.all(Array.from({ length: 20 }, () => end('BEANS', 'till-1')));
  expect(all.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
  expect((await end('MILK', 'till-1')).status).toBe(204);
});

test('a session that holds nothing of a code without a limit can be ended as well', async () => {
  const { end } = await locked();
  const all = await Promise.all(Array.from({ length: 20 }, () => end('WATER', 'till-1')));
  expect(all.map(({ status }) => status)).toEqual(Array(20).fill(204));
});

test('a voucher is named by its code or its id', async () => {
  const { end, shown } = await locked();
  expect((await end((await shown('BEANS')).id, 'till-1')).status).toBe(204);
  expect(await end('NOPE', 'till-1')).toMatchObject({ status: 404, body: { resource_type: 'voucher' } });
});

test('an expired session is not found', async () => {
  const { project, end } = await locked();
  await insertLock(project.id, { code: 'BEANS', session: { key: 'short', ttl: 1 } }, undefined, new Date('2026-06-01'));
  expect((await end('BEANS', 'short')).status).toBe(404);
});

test('no figure of the voucher shows locked uses', async () => {
  const { shown } = await locked();
  expect((await shown('BEANS')).redemption).toMatchObject({ quantity: 3, redeemed_quantity: 0 });
  expect((await shown('MILK')).gift).toMatchObject({ amount: 500, balance: 500 });
});

test.each([
  ['of a session', handler, { code: 'BEANS', sessionKey: 'till-1' }],
  ['of all sessions', endAllHandler, { code: 'BEANS' }],
] as const)('an end %s that arrives again ends no session that has begun since', async (_, ending, params) => {
  const { project, end } = await locked();
  const proxy = await startFaultProxy();
  const late = lateWrites['arrives again a minute later'];
  let again = late(0);
  const calls = proxy.run((call) => {
    if (isWrite(call) && calls.filter(isWrite).length === 1) again = late(call.number);
    return again.plan(call);
  });
  const ended = await caller(
    ending,
    testDependencies({ dynamodb: proxy.client }),
  )({ headers: project.credentials, params });
  expect(ended.status).toBe(204);
  const later = new Date(testTime.getTime() + 60_000);
  await insertLock(project.id, { code: 'BEANS', session: { key: 'till-1' } }, undefined, later);
  await again.deliver();
  await proxy.close();
  expect((await end('BEANS', 'till-1')).status).toBe(204);
});
