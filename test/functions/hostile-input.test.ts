import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { buildOpenapiDocument } from '../../infra/openapi/document.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { formatOf, type Request } from '../support/api-event.ts';
import { caller } from '../support/call.ts';
import { isWriting, observed, type SentCommand } from '../support/commands.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { hostileBodies, hostileForms, hostileTypes, hugeBodies } from '../support/hostile-bodies.ts';
import { hostileJson, placesIn, placesOf, planted } from '../support/hostile-json.ts';
import { hostileHeaders, hostileHeaderValues, hostileQueries, hostileTexts } from '../support/hostile-texts.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { bodyIn, type Json, operationIn } from '../support/openapi.ts';
import { evenly, isLong, sampled, shareOf } from '../support/sampled.ts';
import { form } from '../support/tokens.ts';

/** Each run uses the same values. */
const runs = { numRuns: shareOf({ quick: 1_500, long: 6_000 }, operations, 5), seed: 20_261_121 };

const document = buildOpenapiDocument() as Json;
const rows = operations.map((operation) => [operation.name, operation] as const);
const json = { 'content-type': 'application/json' };

/** A refused request stays below this, and accepted bodies may be far longer. */
const maxTold = 64_000;
/** The processor time of a request, which other processes do not lengthen. */
const maxCpuInMs = 20_000;

interface Case {
  /** Shortens the value, because a counterexample is printed. */
  what: string;
  request: () => Request;
}

const dependencies = testDependencies({ rateLimiter: new RateLimiter(999_999_999, Number.POSITIVE_INFINITY) });

/** All requests share one project: accepted requests must not affect refused requests. */
const requestTo = await requestsTo(await loadDemo(dependencies), dependencies);

/** No encoding has half a surrogate pair, but JSON can carry it. */
function isWellFormed(value: unknown): boolean {
  let all = true;
  JSON.stringify(value, (key, inner) => {
    all &&= key.isWellFormed() && (typeof inner !== 'string' || inner.isWellFormed());
    return inner;
  });
  return all;
}

/** Makes one operation that reports the writes of its requests. */
async function attack(operation: Operation) {
  const base = requestTo(operation);
  const written: SentCommand[] = [];
  const dynamodb = observed(dependencies.dynamodb, {
    after: (command) => {
      if (isWriting(command.name) && !apart.some((isOf) => isOf(command))) written.push(command);
    },
  });
  const call = caller(operation.handler, { ...dependencies, dynamodb });

  async function survives({ what, request }: Case): Promise<number> {
    written.length = 0;
    const before = process.cpuUsage();
    const { status, body } = await call(request());
    expect(process.cpuUsage(before).user / 1_000, what).toBeLessThan(maxCpuInMs);
    expect(status, `${what}: ${dependencies.lines.at(-1)}`).toBeLessThan(500);
    expect(isWellFormed(body), what).toBe(true);
    if (status >= 400) {
      expect(JSON.stringify(body).length, what).toBeLessThan(maxTold);
      expect(written, what).toEqual([]);
    }
    // A request with several writes may be half done.
    expect(written.length, what).toBeLessThanOrEqual(1);
    expect([Object.keys(Object.prototype), Object.keys(Array.prototype)], what).toEqual([[], []]);
    return status;
  }

  return { base, survives };
}

/** Some refused attempts are listed as failures. */
function isOfFailure({ input }: SentCommand): boolean {
  return JSON.stringify(input).includes('"result":"FAILURE"');
}

/** A hold before a transaction is released if that is refused, or lapses. */
function isOfHold({ input }: SentCommand): boolean {
  return Object.values(input.ExpressionAttributeNames ?? {}).some((name) => String(name).startsWith('hold '));
}

function isOfIdempotency({ input }: SentCommand): boolean {
  return (input.Key as { sk?: string } | undefined)?.sk === 'IDEMPOTENCY_KEY';
}

/** A card with a due tier moves first, in a separate transaction. */
function isOfSettling({ input }: SentCommand): boolean {
  const text = JSON.stringify(input);
  return text.includes('"type":"customer.loyalty.tier.') && !text.includes('"LEDGER#');
}

/** Many redemptions at the same test time make the code crowded. A container then reserves a block of uses, which lapses by itself. */
const isOfBlock = ({ name, input }: SentCommand) =>
  name === 'PutCommand' && (input.Item as { kind?: string } | undefined)?.kind === kinds.holdBlock;

/** These writes are complete in themselves, for any end of the request. */
const apart = [isOfIdempotency, isOfFailure, isOfHold, isOfBlock, isOfSettling];

/** Places in the body: the schema's, and the example's places in open objects. */
function placesInBody({ name, route }: Operation, base: Request): (string | number)[][] {
  if (route.body === undefined) return [];
  const described = operationIn(document, name)?.operation ?? {};
  const places = [...placesIn(document, bodyIn(described)?.schema ?? {}), ...placesOf(base.body)];
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function casesOf(operation: Operation, base: Request): Case[][] {
  const { name, route } = operation;
  const { headers = {} } = base;
  const described = operationIn(document, name)?.operation ?? {};
  const names = (place: string) =>
    ((described.parameters ?? []) as { name: string; in: string }[])
      .filter((parameter) => parameter.in === place)
      .map(({ name }) => name);
  const short = (text: string | undefined) => JSON.stringify(text?.slice(0, 60));

  const inBody = placesInBody(operation, base).flatMap((place) =>
    Object.entries(hostileJson).map(([name, text]) => ({
      what: `${name} at ${JSON.stringify(place)}`,
      request: () =>
        formatOf(route) === 'file'
          ? { ...base, headers, body: { file: text } }
          : { ...base, headers: { ...headers, ...json }, body: planted(base.body, place, text) },
    })),
  );
  const asBody = Object.entries(route.body === undefined ? {} : hostileBodies).map(([name, body]) => ({
    what: `a body of ${name}`,
    request: () => ({ ...base, headers: { ...headers, ...json }, ...body }),
  }));
  const asForm = (route.body === undefined ? [] : hostileForms).map((body) => ({
    what: `the form ${short(body)}`,
    request: () => ({ ...base, headers: { ...headers, ...form }, body }),
  }));
  const types = (route.body === undefined ? [] : hostileTypes).map((type) => ({
    what: `the content type ${short(type)}`,
    request: () => ({
      ...base,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      body: '{}',
    }),
  }));
  const inPath = names('path').flatMap((name) =>
    hostileTexts.map((text) => ({
      what: `${name} ${short(text)}`,
      request: () => ({ ...base, headers, params: { ...base.params, [name]: text } }),
    })),
  );
  const inQuery = [...names('query'), 'unknown'].flatMap((name) =>
    hostileQueries(name).map((query) => ({
      what: `the query ${short(query)}`,
      request: () => ({ ...base, headers, query }),
    })),
  );
  const inHeaders = hostileHeaders.flatMap((name) =>
    hostileHeaderValues.map((value) => ({
      what: `the header ${name} ${short(value)}`,
      request: () => ({ ...base, headers: { ...base.headers, [name]: value } }),
    })),
  );
  return [inBody, asBody, asForm, types, inPath, inQuery, inHeaders].filter((cases) => cases.length > 0);
}

describe('any input is answered according to its route, in time, in few words, and nothing is half done:', () => {
  test.each(rows)('%s', { timeout: 600_000 }, async (_, operation) => {
    const { base, survives } = await attack(operation);
    const drawn = fc.oneof(...casesOf(operation, base).map((cases) => fc.constantFrom(...cases)));
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        await survives(one);
      }),
      runs,
    );
  });
});

const textless = ['an object that no text can be made of', 'an array of objects that no text can be made of'];
const ofJson = operations.filter(({ route }) => route.body !== undefined && formatOf(route) === 'json');

test('a value that cannot become a text is handled at every place of every body', { timeout: 600_000 }, async () => {
  for (const operation of ofJson) {
    const { base, survives } = await attack(operation);
    // All operations together have thousands of places. A quick run tests some places of each body.
    for (const place of sampled(placesInBody(operation, base), 4))
      for (const name of textless) {
        const body = planted(base.body, place, hostileJson[name] ?? '');
        const what = `${operation.name}: ${name} at ${JSON.stringify(place)}`;
        await survives({ what, request: () => ({ ...base, headers: { ...base.headers, ...json }, body }) });
      }
  }
});

const withBody = rows.filter(([, { route }]) => route.body !== undefined);
/** One body of each format: JSON, a form, and none. */
const ofEachFormat = new Map(
  withBody.map((row) => [row[1].route.body === 'ignored' ? 'ignored' : row[1].route.body?.format, row]),
);

describe('bodies of megabytes are answered, too:', () => {
  test.each(isLong ? [...new Set([...ofEachFormat.values(), ...evenly(withBody, 30)])] : [...ofEachFormat.values()])(
    '%s',
    { timeout: 600_000 },
    async (_, operation) => {
      const { route } = operation;
      const { base, survives } = await attack(operation);
      const type = route.body !== 'ignored' && route.body?.format === 'form' ? form : json;
      for (const [name, { body, isBase64Encoded = false }] of Object.entries(hugeBodies)) {
        const request = () => ({ ...base, headers: { ...base.headers, ...type }, body, isBase64Encoded });
        const status = await survives({ what: name, request });
        if (Buffer.byteLength(body) > 4 * 1024 * 1024) expect([name, status]).toEqual([name, 413]);
      }
    },
  );
});
