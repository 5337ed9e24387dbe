import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { maxBodyBytes } from '#kernel/http/input.ts';
import { maxReplyBytes } from '#kernel/http/reply-size.ts';
import { buildOpenapiDocument } from '../../infra/openapi/document.ts';
import { findOperation, type Operation, operations } from '../../infra/operations.ts';
import { formatOf, type Request } from '../support/api-event.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { placesIn } from '../support/hostile-json.ts';
import { fileFillings, fillings, type LargeCase, type LargePlan } from '../support/large-bodies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { bodyIn, type Json, operationIn } from '../support/openapi.ts';
import { loadProject, withFile } from '../support/project.ts';
import { evenly, isLong, sampled, shareOf } from '../support/sampled.ts';
import { bearer, issueToken } from '../support/tokens.ts';

/** Limits the memory that a call may use beyond the memory of its process. */
const roomInMegabytes = 100;

const program = join(import.meta.dirname, '../support/large-bodies-program.ts');
const document = buildOpenapiDocument() as Json;
const dependencies = testDependencies();

interface Told {
  readonly begins?: number;
  readonly ended?: number;
  readonly status?: number;
  readonly bytes?: number;
  readonly log?: string;
  readonly heap?: number;
}

/** Runs the program in a process with limited room for living objects, and returns its output. */
function told(cases: readonly LargeCase[], megabytes?: number): Promise<Told[]> {
  const { tableName } = dependencies;
  const plan: LargePlan = { endpoint: inject('endpoint'), tableName, now: testTime.toISOString(), cases };
  return withFile(plan, async (path) => {
    const room = megabytes === undefined ? [] : [`--max-old-space-size=${megabytes}`];
    const child = spawn(process.execPath, ['--expose-gc', ...room, program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines: Told[] = [];
    for await (const line of createInterface(child.stdout)) lines.push(JSON.parse(line));
    await ended;
    return lines;
  });
}

const sizes = [20_000, 150_000, 200_000, 1_000_000, 4_000_000];

/** Lists some ways in which an operation's body can be large. */
function casesOf(operation: Operation, request: Request, number: number): LargeCase[] {
  const { name, route } = operation;
  const described = operationIn(document, name)?.operation ?? {};
  const isFile = formatOf(route) === 'file';
  const places = isFile ? [['file']] : placesIn(document, bodyIn(described)?.schema ?? {});
  const drawn = fc.record({
    place: fc.constantFrom(...places),
    filling: fc.constantFrom(...Object.keys(isFile ? fileFillings : fillings)),
    bytes: fc.constantFrom(...sizes),
  });
  const whole = { operation: name, request, place: places[0] ?? [], bytes: maxBodyBytes - 1_000 };
  return [
    { ...whole, filling: isFile ? 'commas' : 'empty objects' },
    ...fc.sample(drawn, { numRuns: number, seed: 20_261_123 }).map((one) => ({ operation: name, request, ...one })),
  ];
}

/** Makes enough tiers and codes for replies of a hundred megabytes. */
async function shopCases(): Promise<LargeCase[]> {
  const discount = { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ITEMS' };
  const metadata = { text: '"'.repeat(25_000) };
  const codes = Array.from({ length: 30 }, (_, index) => `CODE-${index}`);
  const { credentials } = await loadProject({
    campaigns: [{ id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: Array.from({ length: 150 }, (_, index) => ({
      ...{ id: `promo_${index}`, name: `Tier ${index}`, campaign_id: 'camp_1', hierarchy: index + 1, active: true },
      ...{ action: { discount }, metadata },
    })),
    vouchers: codes.map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount, metadata })),
    stacking_rules: [
      {
        id: 'stk_1',
        redeemables_limit: 30,
        applicable_redeemables_limit: 30,
        applicable_redeemables_per_category_limit: 30,
      },
    ],
  });
  const page = bearer(await issueToken(credentials, 'client_api', dependencies));
  const redeemables = codes.map((id) => ({ object: 'voucher', id }));
  const all = {
    redeemables,
    options: { expand: ['order', 'redeemable', 'redemption', 'category', 'validation_rules'] },
  };
  const fifty = { options: { limit: 50, expand: ['redeemable', 'category', 'validation_rules'] } };
  const bodies: Record<string, object> = {
    'validate-redeemables': all,
    'redeem-redeemables': all,
    'validate-from-page': all,
    'redeem-from-page': all,
    'validate-promotions': {},
    qualify: fifty,
    'qualify-from-page': fifty,
    'examine-vouchers': {},
    'examine-campaigns': {},
  };
  return Object.entries(bodies).flatMap(([operation, body]) => {
    const { authentication } = findOperation(operation).route;
    const request = { headers: authentication === 'client' ? page : credentials, body };
    return [60_000, 100_000, 195_000, 4_000_000].flatMap((bytes) =>
      ['a cart', 'a cart of quotes'].map((filling) => ({ operation, request, place: ['order'], filling, bytes })),
    );
  });
}

describe('no call with a large body', () => {
  let cases: LargeCase[] = [];
  let lines: Told[] = [];
  beforeAll(async () => {
    const requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
    const withBody = operations.filter(({ route }) => typeof route.body === 'object');
    const number = shareOf({ quick: 60, long: 600 }, withBody, 2);
    cases = [
      ...sampled(await shopCases(), 18),
      ...evenly(withBody, isLong ? 60 : 8).flatMap((operation) => casesOf(operation, requestTo(operation), number)),
    ];
    const [own] = (await told([])).flatMap(({ heap }) => heap ?? []);
    lines = await told(cases, Math.ceil(own ?? 0) + roomInMegabytes);
  }, 1_800_000);

  const nameOf = (index: number | undefined) => {
    const { operation, place, filling, bytes } = cases[index ?? -1] ?? {};
    return `${operation}: ${bytes} bytes of ${filling} at ${JSON.stringify(place)}`;
  };

  test(`needs more than ${roomInMegabytes} MB, so the process survives all of them`, () => {
    const began = lines.flatMap(({ begins }) => begins ?? []);
    const ended = new Set(lines.flatMap(({ ended }) => ended ?? []));
    expect(began.filter((index) => !ended.has(index)).map(nameOf)).toEqual([]);
    expect(ended.size).toBe(cases.length);
  });

  test('gets a reply above the limit of a reply', () => {
    const wrong = lines.filter(({ bytes = 0, status = 0 }) => bytes > maxReplyBytes || status >= 500);
    expect(wrong.map(({ ended, bytes, status, log }) => [nameOf(ended), status, bytes, log])).toEqual([]);
  });

  test('is pointless: some succeed, and some are refused', () => {
    const statuses = lines.map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([200, 400]));
  });
});
