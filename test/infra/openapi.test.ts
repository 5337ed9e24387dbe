import { createConfig, lintFromString } from '@redocly/openapi-core';
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { openapiDocument } from '../../infra/openapi/document.ts';
import replyExamples from '../../infra/openapi/reply-examples.json' with { type: 'json' };
import { operations } from '../../infra/operations.ts';
import { errorCatalogue } from '../../lib/errors.ts';
import { takesIdempotencyKey } from '../../lib/http/route.ts';
import { errorsOf } from '../../lib/http/route-errors.ts';
import { apiEvent } from '../support/api-event.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
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
import { isLong, sampled } from '../support/sampled.ts';

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
  return operations.flatMap(({ name: operation, route }) => {
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
    // The table may be too busy for a request whose body was read.
    const refusedWithBody = ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Retry-After'];
    expect(named('send-event')).toEqual({
      sent: ['Idempotency-Key'],
      received: ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Idempotent-Replayed'],
      refused: refusedWithBody,
    });
    expect(named('get-voucher')).toEqual({ sent: [], received: ['X-Request-Id', ...rates], refused });
    expect(named('issue-token')).toEqual({
      sent: [],
      received: ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Cache-Control'],
      refused: refusedWithBody,
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
    expect(ids.sort()).toEqual(operations.map(({ name }) => name).sort());
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
    for (const { name } of operations) {
      const operationObject = theOperation(document, name);
      for (const status of Object.keys(operationObject.responses as Json).filter((status) => status >= '400')) {
        const schema = replyOf(document, operationObject, Number(status)) ?? {};
        const keys = followed(document, schema, ['key'])[0]?.enum as (keyof typeof errorCatalogue)[];
        expect(new Set(keys.map((key) => errorCatalogue[key].status))).toEqual(new Set([Number(status)]));
      }
    }
    const { key } = componentIn(document, 'Error').properties as { key: Json };
    expect(key.enum).toEqual(Object.keys(errorCatalogue));
  });

  test('shows for each error status what that error looks like, and for nothing else', () => {
    const shown = (document.components as { examples: Record<string, { value: Json }> }).examples;
    for (const { name } of operations) {
      const { responses } = theOperation(document, name) as { responses: Record<string, Json> };
      for (const [status, reply] of Object.entries(responses).filter(([status]) => status >= '400')) {
        const { examples } = (reply.content as Json)['application/json'] as { examples: Record<string, Json> };
        const keys = followed(document, replyOf(document, { responses }, Number(status)) ?? {}, ['key'])[0]?.enum;
        expect(Object.keys(examples)).toEqual(keys);
        for (const key of Object.keys(examples)) expect(shown[key]?.value).toMatchObject({ code: Number(status), key });
      }
    }
    const details = Object.values(shown).map(({ value }) => value.details);
    expect(new Set(details).size).toBe(details.length);
  });

  test('says of each operation what it answers', () => {
    const words = operations.map(({ name, route: { reply } }) => {
      const { responses } = theOperation(document, name) as { responses: Record<string, Json> };
      return responses[reply.status]?.description;
    });
    expect(words.filter((text) => !/^(?!Done).{8,}\.$/.test(String(text)))).toEqual([]);
  });

  test.each(operations)('says who may call $name', ({ name, route }) => {
    const { security } = theOperation(document, name);
    const appKey = { appId: [], appToken: [] };
    switch (route.authentication) {
      case 'server':
        return expect(security).toEqual([appKey, { bearer: ['api'] }, { bearer: [route.scope] }]);
      case 'app-key':
        return expect(security).toEqual([appKey]);
      case 'client':
        return expect(security).toEqual([
          { clientId: [], clientToken: [] },
          ...(name === 'publish-from-page' ? [appKey] : []),
          { bearer: ['client_api'] },
          { bearer: [route.scope] },
        ]);
      case 'management':
        return expect(security).toEqual([{ iam: [] }, { managementId: [], managementToken: [] }, {}]);
      case 'none':
        return expect(security).toEqual([]);
    }
  });

  test('leaves a linter nothing to say', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The contract has /v1/promotions/tiers/{id} beside /v1/promotions/{campaign}/tiers; a fixed segment wins.
        'no-ambiguous-paths': 'off',
        // Takes longer than all other rules together, and examples are held against their schemas below.
        ...(isLong ? {} : { 'no-invalid-media-type-examples': 'off' as const }),
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  test('tells times and durations apart from other text', () => {
    const shown = (operation: string, ...steps: string[]) =>
      followed(document, replyOf(document, theOperation(document, operation), 200) ?? {}, steps)[0];
    const formatOf = (operation: string, ...steps: string[]) => shown(operation, ...steps)?.format;
    expect(formatOf('get-voucher', 'created_at')).toBe('date-time');
    expect(formatOf('get-voucher', 'loyalty_card', 'next_expiration_date')).toBe('date');
    const pattern = new RegExp(String(shown('get-voucher', 'validity_timeframe', 'interval')?.pattern));
    expect(['PT1.5H', 'PT', '1 day'].map((text) => pattern.test(text))).toEqual([true, false, false]);
  });

  test('is the same at each making', () => {
    expect(JSON.stringify(openapiDocument())).toBe(JSON.stringify(document));
  });
});

describe('an example', () => {
  const dependencies = testDependencies({ managementGuard: 'open' });
  let requestTo: Awaited<ReturnType<typeof requestsTo>>;
  let server: RunningServer;

  beforeAll(async () => {
    requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
    server = await startServer({ dependencies, port: 0 });
  });

  afterAll(() => server.close());

  test.each(Object.entries(replyExamples))('of %s fits its schema, which the document has', (name, example) => {
    expect(componentIn(document, name)).not.toEqual({});
    const validate = validatorOf(document, { $ref: `#/components/schemas/${name}` });
    expect([validate(example), validate.errors]).toEqual([true, null]);
  });

  test.each(sampled(operations, 60))('of a request to $name fits the document and is answered', async (operation) => {
    const { name, route } = operation;
    const { params = {}, query, body, headers = {} } = requestTo(operation);
    const described = theOperation(document, name);
    const taken = bodyIn(described);
    if (body !== undefined) {
      const validate = validatorOf(document, taken?.schema ?? false);
      expect([validate(body), validate.errors]).toEqual([true, null]);
    }
    const event = apiEvent(route, { params, body, headers });
    const path = route.path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
    const reply = await fetch(`${server.baseUrl}${path}${query === undefined ? '' : `?${query}`}`, {
      method: route.method,
      headers: { ...headers, ...(taken ? { 'Content-Type': event.headers['content-type'] ?? taken.type } : {}) },
      ...(event.body === undefined ? {} : { body: event.body }),
    });
    expect(reply.status).toBe(route.reply.status);
    const text = await reply.text();
    if (route.reply.kind === 'json') {
      const validate = validatorOf(document, replyOf(document, described, reply.status) ?? false);
      expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
    }
  });
});
