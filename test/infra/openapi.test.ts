import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { components } from '../../infra/openapi/components.ts';
import { replyExamples, requestExamples } from '../../infra/openapi/examples.ts';
import { openapiDocument, undocumented } from '../../infra/openapi.ts';
import { errorCatalogue } from '../../lib/errors.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import { errorsOf, type Route, takesIdempotencyKey } from '../../lib/routes/route.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import {
  bodyIn,
  componentIn,
  followed,
  type Json,
  operationIn,
  replyOf,
  theOperation,
  validatorOf,
} from '../support/openapi.ts';
import type { TestProject } from '../support/project.ts';

const operations = Object.entries<Route>(routes).filter(([operation]) => operation !== undocumented);
const document = openapiDocument() as Json;

/** Of a valibot schema: whatever its kind has of these. */
interface Node {
  type: string;
  entries?: Record<string, Node>;
  wrapped?: Node;
  item?: Node;
  value?: Node;
  options?: readonly unknown[];
}

/** Every field that a schema has, as the steps to it; read from the schema itself, not by way of the converter. */
function fieldsOf(schema: Node, steps: readonly string[] = []): string[][] {
  const inner = [
    ...Object.entries(schema.entries ?? {}).flatMap(([name, entry]) => [
      [...steps, name],
      ...fieldsOf(entry, [...steps, name]),
    ]),
    ...(schema.wrapped ? fieldsOf(schema.wrapped, steps) : []),
    ...(schema.item ? fieldsOf(schema.item, [...steps, '[]']) : []),
    ...(schema.value ? fieldsOf(schema.value, [...steps, '{}']) : []),
    ...(schema.options ?? []).flatMap((option) => (typeof option === 'object' ? fieldsOf(option as Node, steps) : [])),
  ];
  return inner;
}

/** What of the code is not in a document, in words. */
function missingFrom(document: Json): string[] {
  return operations.flatMap(([operation, route]) => {
    const found = operationIn(document, operation);
    if (!found || found.path !== route.path || found.method !== route.method.toLowerCase()) return [operation];
    const parameters = (found.operation.parameters ?? []) as { in: string; name: string }[];
    const fields = (place: string, schema: v.GenericSchema | undefined, json: Json | undefined) =>
      (schema ? fieldsOf(schema as unknown as Node) : [])
        .filter((steps) => !json || followed(document, json, steps).length === 0)
        .map((steps) => `${operation} ${place} ${steps.join('.')}`);
    const named = (place: string, schema: v.GenericSchema | undefined) =>
      (schema ? fieldsOf(schema as unknown as Node) : [])
        .filter(([name]) => !parameters.some((parameter) => parameter.in === place && parameter.name === name))
        .map(([name]) => `${operation} ${place} ${name}`);
    const errors = errorsOf(route).filter((key) => {
      const schema = replyOf(document, found.operation, errorCatalogue[key].status);
      const keys = followed(document, schema ?? {}, ['key'])[0]?.enum as string[] | undefined;
      return !keys?.includes(key);
    });
    const { reply } = route;
    return [
      ...named('path', route.params),
      ...named('query', route.query),
      ...(takesIdempotencyKey(route) && !parameters.some(({ name }) => name === 'Idempotency-Key')
        ? [`${operation} header Idempotency-Key`]
        : []),
      ...(typeof route.body === 'object' ? fields('body', route.body.schema, bodyIn(found.operation)?.schema) : []),
      ...(reply.kind === 'json' ? fields('reply', reply.schema, replyOf(document, found.operation, reply.status)) : []),
      ...(reply.status in (found.operation.responses as object) ? [] : [`${operation} ${reply.status}`]),
      ...errors.map((key) => `${operation} ${errorCatalogue[key].status} ${key}`),
    ];
  });
}

/** A copy in which something is changed. */
function changed(change: (copy: Json) => void): Json {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

describe('the document', () => {
  test('has the headers that a request may carry and its reply carries, where they mean something', () => {
    const named = (operation: string) => {
      const { parameters = [], responses } = theOperation(document, operation) as {
        parameters?: Json[];
        responses: Record<string, { headers: Json }>;
      };
      return {
        sent: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
        received: Object.keys(responses['200']?.headers ?? {}),
        refused: Object.keys(responses['429']?.headers ?? {}),
      };
    };
    const rates = ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Retry'];
    const refused = ['X-Request-Id', ...rates, 'Retry-After'];
    expect(named('send-event')).toEqual({
      sent: ['Idempotency-Key'],
      received: ['X-Request-Id', ...rates, 'Idempotent-Replayed'],
      refused,
    });
    expect(named('get-voucher')).toEqual({ sent: [], received: ['X-Request-Id', ...rates], refused });
    expect(named('issue-token')).toEqual({
      sent: [],
      received: ['X-Request-Id', ...rates, 'Cache-Control'],
      refused,
    });
    expect(named('get-qr-asset')).toEqual({
      sent: [],
      received: ['X-Request-Id'],
      refused: ['X-Request-Id', 'Retry-After'],
    });
  });

  test('has every operation, parameter, field and error key of the code', () => {
    expect(missingFrom(document)).toEqual([]);
  });

  test('has no operation that the code does not have, and each once', () => {
    const ids = Object.values(document.paths as Record<string, Json>).flatMap((path) =>
      Object.values(path as Record<string, Json>).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(operations.map(([operation]) => operation).sort());
  });

  test.each<[string, (copy: Json) => void, RegExp]>([
    ['a route', ({ paths }) => delete (paths as Json)['/v1/events'], /^send-event$/],
    [
      'a field of a body',
      (copy) => delete (componentIn(copy, 'CodeConfig').properties as Json).charset,
      /^create-campaign body voucher\.code_config\.charset$/,
    ],
    [
      'a field of a reply',
      (copy) => delete (componentIn(copy, 'Category').properties as Json).hierarchy,
      /^get-voucher reply categories\.\[\]\.hierarchy$/,
    ],
    [
      'a query parameter',
      (copy) => {
        theOperation(copy, 'list-promotion-tiers').parameters = [];
      },
      /^list-promotion-tiers query is_available$/,
    ],
    [
      'an error key',
      (copy) => delete (theOperation(copy, 'transfer-points').responses as Json)['429'],
      /^transfer-points 429 too_many_requests$/,
    ],
  ])('without %s would be told so', (_, change, told) => {
    expect(missingFrom(changed(change))).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
  });

  test('names the status of each error key, and all keys of the catalogue', () => {
    for (const [operation] of operations) {
      const operationObject = theOperation(document, operation);
      for (const status of Object.keys(operationObject.responses as Json).filter((status) => status >= '400')) {
        const schema = replyOf(document, operationObject, Number(status)) ?? {};
        const keys = followed(document, schema, ['key'])[0]?.enum as (keyof typeof errorCatalogue)[];
        expect(new Set(keys.map((key) => errorCatalogue[key].status))).toEqual(new Set([Number(status)]));
      }
    }
    const { key } = componentIn(document, 'Error').properties as { key: Json };
    expect(key.enum).toEqual(Object.keys(errorCatalogue));
  });

  test.each(operations)('says who may call %s', (operation, route) => {
    const { security } = theOperation(document, operation);
    const appKey = { appId: [], appToken: [] };
    switch (route.authentication) {
      case 'server':
        return expect(security).toEqual([appKey, { bearer: ['api'] }, { bearer: [route.scope] }]);
      case 'app-key':
        return expect(security).toEqual([appKey]);
      case 'management':
        return expect(security).toEqual([{ iam: [] }, { managementId: [], managementToken: [] }, {}]);
      case 'none':
        return expect(security).toEqual([]);
    }
  });

  test('leaves a linter nothing to say', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The contract has /v1/promotions/tiers/{id} beside /v1/promotions/{campaign}/tiers; a fixed segment wins.
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  test('tells times and durations apart from other text', () => {
    const formatOf = (operation: Operation, ...steps: string[]) => {
      return followed(document, replyOf(document, theOperation(document, operation), 200) ?? {}, steps)[0]?.format;
    };
    expect(formatOf('get-voucher', 'created_at')).toBe('date-time');
    expect(formatOf('get-voucher', 'loyalty_card', 'next_expiration_date')).toBe('date');
    expect(formatOf('get-voucher', 'validity_timeframe', 'interval')).toBe('duration');
  });

  test('is the same at each making', () => {
    expect(JSON.stringify(openapiDocument())).toBe(JSON.stringify(document));
  });
});

describe('an example', () => {
  let project: TestProject;
  let server: RunningServer;

  beforeAll(async () => {
    const dependencies = testDependencies({ managementGuard: 'open' });
    project = await loadDemo(dependencies);
    server = await startServer({ dependencies, port: 0 });
  });

  afterAll(() => server.close());

  const replyRows = Object.entries(replyExamples).map(([name, example]) => ({ name, example }));

  test.each(replyRows)('of $name fits its schema, in code and in the document', ({ name, example }) => {
    const schema = components[name as keyof typeof components];
    expect(v.parse(schema, example)).toEqual(example);
    const validate = validatorOf(document, { $ref: `#/components/schemas/${name}` });
    expect([validate(example), validate.errors]).toEqual([true, null]);
  });

  /** Their parameters are of one project, or of one moment, and no other. */
  const withoutExample: Operation[] = ['get-qr-asset', 'get-barcode-asset'];

  test('of a request is there for each operation that takes something', () => {
    const needing = operations.filter(([, { params, body }]) => params || typeof body === 'object');
    const named = new Set<string>([...Object.keys(requestExamples), ...withoutExample]);
    expect(needing.map(([operation]) => operation).filter((operation) => !named.has(operation))).toEqual([]);
  });

  test.each(Object.entries(requestExamples))(
    'of a request to %s fits the document and is answered',
    async (operation, example) => {
      const route: Route = routes[operation as Operation];
      // The demo of this test has an id of its own.
      const { params = {}, body } = JSON.parse(JSON.stringify(example).replaceAll('proj_demo', project.id));
      const told = theOperation(document, operation);
      const taken = bodyIn(told);
      if (body !== undefined) {
        const validate = validatorOf(document, taken?.schema ?? false);
        expect([validate(body), validate.errors]).toEqual([true, null]);
      }
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]));
      const isForm = taken?.type === 'application/x-www-form-urlencoded';
      const reply = await fetch(server.baseUrl + path, {
        method: route.method,
        headers: { ...project.credentials, ...(taken ? { 'Content-Type': taken.type } : {}) },
        ...(body ? { body: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body) } : {}),
      });
      // The token in it was never issued.
      expect(reply.status).toBe(operation === 'revoke-token' ? 404 : route.reply.status);
      const text = await reply.text();
      if (text !== '') {
        const validate = validatorOf(document, replyOf(document, told, reply.status) ?? false);
        expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
      }
    },
  );
});
