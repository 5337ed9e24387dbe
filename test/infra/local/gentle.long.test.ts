import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { killLaunched, serve } from '../../support/npm-start.ts';

/**
 * Tills of a local server during an import of 100,000 rows. Both are timed on the same machine, one right after the
 * other.
 */

const rows = 100_000;
const tills = 64;
const rounds = 3;
const mostRatio = 5;
const lookEveryInMs = 200;

afterAll(killLaunched);

const credentials = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };

async function openShop(address: string) {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { ...credentials, ...(body ? { 'Content-Type': 'application/json' } : {}) };
    const reply = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  let made = 0;
  /** Returns the time of 64 simultaneous redemptions of different codes. */
  const timeOfTills = async () => {
    const codes = Array.from({ length: tills }, () => `TILL-${made++}`);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } };
    for (const code of codes) expect((await call('POST', `/v1/vouchers/${code}`, voucher)).status).toBe(200);
    const from = performance.now();
    const replies = await Promise.all(
      codes.map((id) =>
        call('POST', '/v1/redemptions', { redeemables: [{ object: 'voucher', id }], order: { amount: 1_000 } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(codes.map(() => 200));
    return performance.now() - from;
  };
  const medianOfTills = async () => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timeOfTills());
    return times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
  };
  return { call, timeOfTills, medianOfTills };
}

test('64 redemptions beside an import of 100,000 rows take less than five times as long as alone', async () => {
  const { address } = await serve({
    DYNAMODB_ENDPOINT: '',
    DYNAMODB_ENGINE: 'dynoxide',
    RATE_LIMIT_PER_MINUTE: '999999',
  });
  const { call, timeOfTills, medianOfTills } = await openShop(address);
  // The first calls compile the code.
  await timeOfTills();
  const alone = await medianOfTills();

  const form = new FormData();
  const lines = Array.from({ length: rows }, (_, index) => `row-${index}`);
  form.set('file', new Blob([`source_id\n${lines.join('\n')}\n`], { type: 'text/csv' }), 'customers.csv');
  const uploaded = await fetch(`${address}/v1/customers/importCSV`, {
    method: 'POST',
    headers: credentials,
    body: form,
  });
  const { async_action_id: id } = JSON.parse(await uploaded.text());
  expect(uploaded.status).toBe(202);
  const isThere = async (row: number) => (await call('GET', `/v1/customers/row-${row}`)).status === 200;
  while (!(await isThere(0))) await wait(lookEveryInMs);

  const beside = await medianOfTills();
  const { body: action } = await call('GET', `/v1/async-actions/${id}`);
  expect(action.status).toBe('IN_PROGRESS');
  expect(beside / alone).toBeLessThan(mostRatio);
  // The import continues.
  while (!(await isThere(200))) await wait(lookEveryInMs);
});
