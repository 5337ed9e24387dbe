import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { openapiDocument } from '../../infra/openapi/document.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { bySpecificity, matchPath } from '../../lib/http/match.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';
import type { Route } from '../../lib/http/route.ts';
import { formats } from '../support/api-event.ts';
import { anyJson, describedBy, spoilt } from '../support/arbitrary.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { bodyIn, type Json, replyOf, theOperation, validatorOf } from '../support/openapi.ts';
import type { TestProject } from '../support/project.ts';
import { sampled, shareOf } from '../support/sampled.ts';
import { bearer, issueToken } from '../support/tokens.ts';

/** Operations that are sent requests. */
const asked = sampled(operations, 20);
/** Requests to each, the same ones at each run; most have a project of their own to be loaded. */
const runs = { numRuns: shareOf({ quick: 300, long: 5_000 }, asked, 15), seed: 20_261_121 };

const document = openapiDocument() as Json;
const inOrder = operations.toSorted((a, b) => bySpecificity(a.route, b.route));

const dependencies = testDependencies({ rateLimiter: new RateLimiter(999_999_999, Number.POSITIVE_INFINITY) });
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ dependencies, port: 0 });
});

afterAll(() => server.close());

/** A project of one operation's own, so that what others do to theirs changes nothing here; those that only read share one. */
interface World {
  project: TestProject;
  /** Texts that are ids, names and codes in the project, and tokens of it. */
  known: string[];
  tokens: { all: string; none: string };
  requestTo: Awaited<ReturnType<typeof requestsTo>>;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

let reading: Promise<World> | undefined;

function worldOf({ route }: Operation): Promise<World> {
  if (route.method !== 'GET') return newWorld();
  reading ??= newWorld();
  return reading;
}

async function newWorld(): Promise<World> {
  const project = await loadDemo(dependencies);
  const issued = (scope: string) => issueToken(project.credentials, scope, dependencies);
  const { body } = await send({ method: 'GET', path: '/v1/vouchers/TIDE-HELLO', headers: project.credentials });
  const { qr, barcode } = JSON.parse(body).assets;
  const others = [await issued('vouchers'), await issued('rewards'), await issued('rewards')];
  const { app_keys, ...lists } = project.file;
  return {
    project,
    known: [...new Set([...textsIn(lists), project.id, qr.id, barcode.id, ...others])],
    tokens: { all: await issued('api'), none: await issued('client_api') },
    requestTo: await requestsTo(project, dependencies),
  };
}

interface Sent {
  method: string;
  /** As it goes over the wire. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `fetch` would tidy paths up. */
async function send({ method, path, headers, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(server.baseUrl);
  const sent = request({ hostname, port, path, method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

/** What a generated request is, and what the document says of it. */
interface Case {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body: unknown;
  way: 'as described' | 'with a body that is none' | 'with a body that is spoilt' | 'with a query that is spoilt';
}

const credentialsOf = ({ project, tokens }: World, { authentication }: Route) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(authentication === 'client' ? bearer(tokens.none) : project.credentials) },
    { weight: 4, arbitrary: fc.constant(bearer(tokens.all)) },
    { weight: 1, arbitrary: fc.constantFrom({}, bearer(tokens.none), bearer('x'), { authorization: 'Basic eDp5' }) },
    { weight: 1, arbitrary: fc.constant({ ...project.credentials, 'x-app-token': 'guessed' }) },
  );

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

function casesOf(operation: Operation, world: World): fc.Arbitrary<Case> {
  const described = theOperation(document, operation.name);
  const options = { document, known: world.known };
  const parameters = (described.parameters ?? []) as unknown as Parameter[];
  const valuesIn = (place: string) => {
    const some = parameters.filter((parameter) => parameter.in === place);
    return fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, describedBy(schema, options)])), {
      requiredKeys: some.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    }) as fc.Arbitrary<Record<string, unknown>>;
  };
  const taken = bodyIn(described);
  const bodies = taken ? describedBy(taken.schema, options) : fc.constant(undefined);
  const example = world.requestTo(operation);
  const params = fc.oneof(valuesIn('path'), fc.constant(example.params ?? {}));
  const base = fc.record({
    params,
    query: fc.oneof(valuesIn('query'), fc.constant(Object.fromEntries(new URLSearchParams(example.query)))),
    headers: credentialsOf(world, operation.route),
    body: taken ? fc.oneof({ weight: 4, arbitrary: bodies }, fc.constant(example.body ?? {})) : bodies,
  });
  return base.chain((drawn) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Case>({ ...drawn, way: 'as described' }) },
      ...(taken
        ? [
            {
              weight: 4,
              arbitrary: spoilt(drawn.body).map<Case>((body) => ({
                ...drawn,
                body,
                way: 'with a body that is spoilt',
              })),
            },
            { weight: 1, arbitrary: fc.constant<Case>({ ...drawn, way: 'with a body that is none' }) },
          ]
        : []),
      ...(parameters.some((parameter) => parameter.in === 'query')
        ? [
            {
              weight: 2,
              arbitrary: fc
                .dictionary(fc.constantFrom(...parameters.map(({ name }) => name)), anyJson, { noNullPrototype: true })
                .map<Case>((query) => ({ ...drawn, query, way: 'with a query that is spoilt' })),
            },
          ]
        : []),
    ),
  );
}

/** The documentation's own request, whatever is drawn besides. */
function exampleCase(operation: Operation, { project, requestTo }: World): Case {
  const { params = {}, query, body = {} } = requestTo(operation);
  return {
    params,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: project.credentials,
    body: bodyIn(theOperation(document, operation.name)) && body,
    way: 'as described',
  };
}

/** As a path, a query or a form has a value. */
function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without its boundary, as the document has it. */
const fileType = 'multipart/form-data';

/** What is sent, and the value that the document's schema of the body is about. */
function bodyOf({ body, way }: Case, type: string | undefined): { text?: string; value?: unknown } {
  if (type === undefined) return {};
  if (type !== formats.json.type) {
    const value = textsOf(isObject(body) ? body : { '': body });
    return { text: (type === formats.form.type ? formats.form : formats.file).write(value), value };
  }
  return { text: way === 'with a body that is none' ? '{"a":' : JSON.stringify(body), value: body };
}

function sentOf({ method, path }: Route, drawn: Case, type: string | undefined): Sent {
  const { params, query, headers } = drawn;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(params[name] ?? 'x')));
  const search = new URLSearchParams(textsOf(query)).toString();
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    headers: {
      ...headers,
      ...(type === undefined ? {} : { 'content-type': type === fileType ? formats.file.type : type }),
    },
    body: bodyOf(drawn, type).text,
  };
}

/** The operation that a request really reaches: a value may be a word of another path. */
function reached({ method, path }: Sent): string {
  const [pathname = ''] = path.split('?');
  const found = inOrder.find(({ route }) => route.method === method && matchPath(route.path, pathname));
  return found?.name ?? 'none';
}

/** Headers that HTTP, not this interface, gives a meaning. */
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

/** A reply is what the document says of the operation and the status, and no refusal has another body than the one. */
function checkReply(operation: string, { status, headers, body }: Received): void {
  const described = theOperation(document, operation);
  const responses = described.responses as Record<string, Json>;
  expect(status, body).toBeLessThan(500);
  expect(Object.keys(responses), `${status} ${body}`).toContain(String(status));
  const told = Object.keys((responses[status]?.headers ?? {}) as Json).map((name) => name.toLowerCase());
  expect(Object.keys(headers).filter((name) => !told.includes(name) && !ofHttp.includes(name))).toEqual([]);
  const content = Object.keys((responses[status]?.content ?? {}) as Json);
  if (content.length === 0) {
    expect(body).toBe('');
    return;
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  expect(content).toContain(type);
  const schema = replyOf(document, described, status);
  if (schema === undefined) return;
  const parsed = JSON.parse(body);
  const validate = validatorOf(document, schema);
  expect([validate(parsed), validate.errors], body).toEqual([true, null]);
  if (status >= 400) expect(parsed).toMatchObject({ code: status, request_id: headers['x-request-id'] });
}

describe('every reply is as the document says, and none is a 5xx:', () => {
  test.each(asked)('$name', { timeout: 600_000 }, async (operation) => {
    const { name, route } = operation;
    const taken = bodyIn(theOperation(document, name));
    const world = await worldOf(operation);
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(casesOf(operation, world), async (drawn) => {
        const sent = sentOf(route, drawn, taken?.type);
        const received = await send(sent);
        statuses.add(received.status);
        checkReply(reached(sent), received);
        // What the document does not allow is refused.
        if (taken && route.body !== 'ignored') {
          const { value } = bodyOf(drawn, taken.type);
          const isNone = drawn.way === 'with a body that is none' && taken.type === formats.json.type;
          if (isNone || !validatorOf(document, taken.schema, 'open')(value)) {
            expect(received.status).toBeGreaterThanOrEqual(400);
          }
        }
      }),
      { ...runs, examples: [[exampleCase(operation, world)]] },
    );
    // Requests that are all refused would show little.
    expect(statuses).toContain(route.reply.status);
  });
});
