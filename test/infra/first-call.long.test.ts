import * as v from 'valibot';
import { expect, inject, test } from 'vitest';
import { findOperation } from '../../infra/operations.ts';
import { apiEvent } from '../support/api-event.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { loadDemo } from '../support/demo.ts';
import { fileTable, testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { itemsOf } from '../support/outbox.ts';
import { isLong } from '../support/sampled.ts';

/**
 * Tests that a function prepares its first call while it starts. Lambda gives a start a whole core, and a call a part
 * of a core.
 */

const starts = isLong ? 4 : 3;
/** Other processes can only add to a time, so the least of more starts is nearer to the truth. */
const mostStarts = 3 * starts;
const maxRatio = 2 / 5;
const prepared = [
  'update-promotion-tier',
  'get-voucher',
  'get-campaign',
  'validate-redeemables',
  'validate-voucher',
  'redeem-voucher',
  'get-promotion-tier',
  'enable-voucher',
  'update-voucher',
  'list-campaigns',
];

const measured = v.object({ status: v.number(), milliseconds: v.number(), started: v.number(), lines: v.number() });

/** Starts the bundled function in a separate process, as Lambda does if `inLambda`, and makes its first call. */
async function firstCall(name: string, event: object, inLambda: boolean) {
  const script = `
    const from = performance.now();
    const { handler } = ${importOf(await sharedBundle(name))};
    const started = performance.now() - from;
    let lines = 0;
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (line) => { lines += 1; return true; };
    const before = process.cpuUsage();
    const { statusCode: status } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 20_000 });
    const { user, system } = process.cpuUsage(before);
    write('\\n' + JSON.stringify({ status, milliseconds: (user + system) / 1_000, started, lines }) + '\\n');
    process.exit();`;
  const env = { TABLE_NAME: fileTable(), DYNAMODB_ENDPOINT: inject('endpoint') };
  const lines = await linesOf(script, { ...env, ...(inLambda ? { AWS_LAMBDA_FUNCTION_NAME: name } : {}) });
  // Earlier output would be a line of the log.
  expect(lines.filter((line) => line !== '')).toHaveLength(1);
  return v.parse(measured, JSON.parse(lines.at(-1) ?? ''));
}

test.each(prepared.slice(0, isLong ? 5 : 1))(
  `the first call of %s takes at most two fifths of the processor time once its function has prepared itself`,
  { timeout: 300_000 },
  async (name) => {
    const dependencies = testDependencies();
    const operation = findOperation(name);
    const demo = await loadDemo(dependencies);
    const call = async (inLambda: boolean) => {
      // The vouchers and tiers of these examples can be used once.
      const project = name.startsWith('redeem-') ? await loadDemo(dependencies) : demo;
      const requestTo = await requestsTo(project, dependencies);
      return firstCall(name, apiEvent(operation.route, requestTo(operation)), inLambda);
    };
    const calls: Record<'cold' | 'warm', Awaited<ReturnType<typeof call>>[]> = { cold: [], warm: [] };
    const least = (some: typeof calls.cold) => Math.min(...some.map(({ milliseconds }) => milliseconds));
    const ratio = () => least(calls.warm) / least(calls.cold);
    for (let start = 0; start < starts || (start < mostStarts && ratio() > maxRatio); start++) {
      calls.cold.push(await call(false));
      calls.warm.push(await call(true));
    }
    const startOf = (some: typeof calls.cold) => Math.min(...some.map(({ started }) => started));
    const told = {
      cold: least(calls.cold),
      warm: least(calls.warm),
      started: [startOf(calls.cold), startOf(calls.warm)],
    };
    if (isLong) process.stderr.write(`\n${JSON.stringify({ name, ...told })}\n`);
    expect([...calls.cold, ...calls.warm].map(({ status }) => status)).toEqual(Array(2 * calls.cold.length).fill(200));
    expect(ratio()).toBeLessThanOrEqual(maxRatio);
  },
);

test('a start without a table still ends, and the first call reports it', async () => {
  const script = `const { handler } = ${importOf(await sharedBundle('get-voucher'))}; console.log(typeof handler);`;
  const env = {
    TABLE_NAME: fileTable(),
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    AWS_LAMBDA_FUNCTION_NAME: 'get-voucher',
  };
  expect(await linesOf(script, env)).toEqual(['function']);
  expect(await linesOf(script, { AWS_LAMBDA_FUNCTION_NAME: 'get-voucher' })).toEqual(['function']);
});

test('the rehearsed calls leave nothing in the table', async () => {
  const script = `${importOf(await sharedBundle('redeem-voucher'))};`;
  await linesOf(script, {
    TABLE_NAME: fileTable(),
    DYNAMODB_ENDPOINT: inject('endpoint'),
    AWS_LAMBDA_FUNCTION_NAME: 'x',
  });
  expect(await itemsOf('nobody', '')).toEqual([]);
});
