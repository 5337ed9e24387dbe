import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { compareSpecificity, matchPath } from '#kernel/http/match.ts';
import { findOperation, routes } from '../../infra/operations.ts';
import { campaignCases } from './campaign-cases.ts';
import { type Case, VoucherifyServerSide } from './case.ts';
import { customerCases } from './customer-cases.ts';
import { jobCases } from './job-cases.ts';
import { memberCases } from './member-cases.ts';
import { orderCases } from './order-cases.ts';
import { productCases } from './product-cases.ts';
import { programmeCases } from './programme-cases.ts';
import { promotionCases } from './promotion-cases.ts';
import { redemptionCases } from './redemption-cases.ts';
import { rewardCases } from './reward-cases.ts';
import { ruleCases } from './rule-cases.ts';
import { servedDemo } from './served-demo.ts';
import { unserved } from './unserved.ts';
import { voucherCases } from './voucher-cases.ts';

const { client, runJobs } = servedDemo();

const cases: Record<string, Case> = {
  ...jobCases,
  ...ruleCases,
  ...campaignCases,
  ...voucherCases,
  ...memberCases,
  ...customerCases,
  ...orderCases,
  ...productCases,
  ...programmeCases,
  ...rewardCases,
  ...promotionCases,
  ...redemptionCases,
};

const outcomes: { method: string; path: string; outcome: string }[] = [];

afterAll(() => {
  const width = (column: 'method' | 'path') => Math.max(0, ...outcomes.map((row) => row[column].length));
  const lines = outcomes
    .toSorted((a, b) => (a.method < b.method ? -1 : 1))
    .map(
      ({ method, path, outcome }) => `  ${method.padEnd(width('method'))}  ${path.padEnd(width('path'))}  ${outcome}`,
    );
  process.stdout.write(`${['Methods of @voucherify/sdk whose path the service has:', ...lines].join('\n')}\n`);
});

describe('the client gets the documented reply', () => {
  const rows = Object.entries(cases).map(([method, row]) => ({ method, ...row }));

  test.each(rows)('from $method', async ({ method, operation, check }) => {
    const { route } = findOperation(operation);
    const row = { method, path: `${route.method} ${route.path}`, outcome: 'FAILS' };
    outcomes.push(row);
    await check(client(), runJobs);
    row.outcome = 'works';
  });
});

/** Stands for any argument of any method: a text that also has the fields of an object. */
const argument = Object.assign(new String('x'), { id: 'x', code: 'x', source_id: 'x' });

/** The transport has its own methods. */
const transport = ['client', 'requestController'];

/** A part that several others share counts once, under its first name. */
function methodsOf(value: object, name: string, seen: Set<object>): [string, (...args: unknown[]) => unknown][] {
  if (seen.has(value)) return [];
  seen.add(value);
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(value))
    .filter((key) => key !== 'constructor')
    .map((key): [string, (...args: unknown[]) => unknown] => [
      `${name}.${key}`,
      (...args) => Reflect.get(value, key).apply(value, args),
    ]);
  const parts = Object.entries(value).filter(([key, part]) => !transport.includes(key) && typeof part === 'object');
  return [...own, ...parts.flatMap(([key, part]) => methodsOf(part, `${name}.${key}`, seen))];
}

test('every method of the client whose path the service has is tested above', async () => {
  let sent = '';
  const recorder = createServer((request, response) => {
    sent = `${request.method} ${new URL(request.url ?? '', 'http://recorder').pathname}`;
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const address = recorder.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const known = routes.toSorted(compareSpecificity);
  const served: string[] = [];
  const others = new Set<string>();
  let asked = 0;
  try {
    const probed = VoucherifyServerSide({ apiUrl, applicationId: 'x', secretKey: 'x' });
    const seen = new Set<object>();
    // `validations` borrows `promotions`, which comes later.
    const parts = Object.entries(probed).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const all = parts.flatMap(([name, part]) => methodsOf(part, name, seen));
    // A method with an optional campaign has a path for either case.
    for (const [name, call] of all) {
      for (const args of [
        [argument, argument, argument],
        [argument, null, argument],
      ]) {
        sent = '';
        // Some methods read files or other replies. Only what they send before they fail counts.
        await Promise.resolve()
          .then(() => call(...args))
          .catch(() => {});
        if (sent !== '') asked += 1;
        const [method, path = ''] = sent.split(' ');
        if (known.some((route) => route.method === method && matchPath(route.path, path))) served.push(name);
        else if (sent !== '') others.add(`${name} ${sent}`);
      }
    }
  } finally {
    recorder.close();
    recorder.closeAllConnections();
  }
  expect(asked).toBeGreaterThan(100);
  expect([...new Set(served)].sort()).toEqual(Object.keys(cases).sort());
  const left = [...others].flatMap((line) => {
    const [name = '', ...sent] = line.split(' ');
    return served.includes(name) ? [] : [{ name, sent: sent.join(' ') }];
  });
  expect(left.filter(({ name }) => !Object.hasOwn(unserved, name))).toEqual([]);
  const lines = left.map(
    ({ name, sent }) => `  ${name}  ${sent.replaceAll(/\/(?:x|null)\b/g, '/{id}')}  ${unserved[name]}`,
  );
  process.stdout.write(`${['And those whose path it does not have:', ...new Set(lines)].join('\n')}\n`);
});
