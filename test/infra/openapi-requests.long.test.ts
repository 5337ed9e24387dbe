import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { isRecord } from '#kernel/core/is-record.ts';
import { compareSpecificity, matchPath } from '#kernel/http/match.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { startServer } from '../../infra/local/server.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { formats } from '../support/api-event.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { bodyOf, casesOf, exampleCase, type Sent, sentOf, type World } from '../support/described-requests.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { bodyIn, type Json, replyOf, theDocument, theOperation, validatorOf } from '../support/openapi.ts';
import { type Received, send } from '../support/raw-http.ts';
import { evenly, isLong, shareOf } from '../support/sampled.ts';
import { issueToken } from '../support/tokens.ts';

/** Lists the operations that get requests. */
const asked = evenly(operations, isLong ? 100 : 14);
/** Draws the same requests for each operation in every run. Most operations load a separate project. */
const runs = { numRuns: shareOf({ quick: 300, long: 5_000 }, asked, 15), seed: 20_261_121 };

const document = theDocument();
const inOrder = operations.toSorted((a, b) => compareSpecificity(a.route, b.route));

const dependencies = testDependencies({ rateLimiter: new RateLimiter(999_999_999, Number.POSITIVE_INFINITY) });

const server = await startServer({ dependencies, port: 0 });

afterAll(() => server.close());

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Operations that only read share one project. */
let reading: Promise<World> | undefined;

/** Loads a project for one operation, so that others change nothing in it. */
function worldOf({ route }: Operation): Promise<World> {
  if (route.method !== 'GET') return newWorld();
  reading ??= newWorld();
  return reading;
}

async function newWorld(): Promise<World> {
  const project = await loadDemo(dependencies);
  const issued = (scope: string) => issueToken(project.credentials, scope, dependencies);
  const { text } = await send(server.baseUrl, '/v1/vouchers/TIDE-HELLO', { headers: project.credentials });
  const { qr, barcode } = JSON.parse(text).assets;
  const others = [await issued('vouchers'), await issued('rewards'), await issued('rewards')];
  const { app_keys, ...lists } = project.file;
  return {
    project,
    known: [...new Set([...textsIn(lists), project.id, qr.id, barcode.id, ...others])],
    tokens: { all: await issued('api'), none: await issued('client_api') },
    requestTo: await requestsTo(project, dependencies),
  };
}

/** Finds the operation that a request really reaches, because a value may be a word of another path. */
function reached({ method, path }: Sent): string {
  const [pathname = ''] = path.split('?');
  const found = inOrder.find(({ route }) => route.method === method && matchPath(route.path, pathname));
  return found?.name ?? 'none';
}

/** Lists headers with a meaning in HTTP, not in this interface. */
const ofHttp = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'cache-control',
  'x-content-type-options',
];

/** Checks that a reply matches the document for its operation and status, and that refusals have the one error body. */
function checkReply(operation: string, { status, headers, text }: Received): void {
  const described = theOperation(document, operation);
  const responses = described.responses as Record<string, Json>;
  expect(status, text).toBeLessThan(500);
  expect(Object.keys(responses), `${status} ${text}`).toContain(String(status));
  const told = Object.keys((responses[status]?.headers ?? {}) as Json).map((name) => name.toLowerCase());
  expect(Object.keys(headers).filter((name) => !told.includes(name) && !ofHttp.includes(name))).toEqual([]);
  const content = Object.keys((responses[status]?.content ?? {}) as Json);
  if (content.length === 0) {
    expect(text).toBe('');
    return;
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  expect(content).toContain(type);
  const schema = replyOf(document, described, status);
  if (schema === undefined) return;
  const parsed = JSON.parse(text);
  const validate = validatorOf(document, schema);
  expect([validate(parsed), validate.errors], text).toEqual([true, null]);
  if (status >= 400) expect(parsed).toMatchObject({ code: status, request_id: headers['x-request-id'] });
}

describe('every reply matches the document, and none is a 5xx:', () => {
  test.each(asked)('$name', { timeout: 600_000 }, async (operation) => {
    const { name, route } = operation;
    const taken = bodyIn(theOperation(document, name));
    const isOptional = (theOperation(document, name).requestBody as Json | undefined)?.required !== true;
    const world = await worldOf(operation);
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(casesOf(document, operation, world), async (drawn) => {
        const sent = sentOf(route, drawn, taken?.type);
        const received = await send(server.baseUrl, sent.path, { ...sent, agent: false });
        statuses.add(received.status);
        checkReply(reached(sent), received);
        // The document's limits are enforced.
        if (taken && route.body !== 'ignored') {
          const { value } = bodyOf(drawn, taken.type);
          const isNone = drawn.way === 'with a body that is none' && taken.type === formats.json.type;
          // If the body is optional, everything but an object counts as no body (docs/requests.md).
          const isLeftOut = isOptional && !isRecord(value);
          if (isNone || !(isLeftOut || validatorOf(document, taken.schema, 'open')(value))) {
            expect(received.status).toBeGreaterThanOrEqual(400);
          }
        }
      }),
      { ...runs, examples: [[exampleCase(document, operation, world)]] },
    );
    // Requests that are all refused would prove little.
    expect(statuses).toContain(route.reply.status);
  });
});
