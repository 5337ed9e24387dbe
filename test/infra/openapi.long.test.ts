import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '#kernel/core/errors.ts';
import { buildOpenapiDocument } from '../../infra/openapi/document.ts';
import { operations } from '../../infra/operations.ts';
import { componentIn, followed, type Json, replyOf, theDocument, theOperation } from '../support/openapi.ts';
import { isLong } from '../support/sampled.ts';

const document = theDocument();

describe('the document', () => {
  test('has the headers of requests and replies, on each operation that uses them', () => {
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
    // A busy table may refuse a request after its parameters and body were read.
    const refused = ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Retry-After'];
    expect(named('send-event')).toEqual({
      sent: ['Idempotency-Key'],
      received: ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Idempotent-Replayed'],
      refused,
    });
    expect(named('get-voucher')).toEqual({
      sent: [],
      received: ['X-Request-Id', ...rates, 'X-Ignored-Fields'],
      refused,
    });
    expect(named('issue-token')).toEqual({
      sent: [],
      received: ['X-Request-Id', ...rates, 'X-Ignored-Fields', 'Cache-Control'],
      refused,
    });
    expect(named('get-qr-asset')).toEqual({
      sent: [],
      received: ['X-Request-Id', 'X-Ignored-Fields'],
      refused: ['X-Request-Id', 'X-Ignored-Fields', 'Retry-After'],
    });
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

  test('has an example for each error status, and no other examples of errors', () => {
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

  test('describes the reply of each operation', () => {
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

  test('passes a linter without findings', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The contract has /v1/promotions/tiers/{id} as well as /v1/promotions/{campaign}/tiers. A fixed segment wins.
        'no-ambiguous-paths': 'off',
        // This rule takes longer than all others together, and openapi-examples.long.test.ts checks examples against their
        // schemas.
        ...(isLong ? {} : { 'no-invalid-media-type-examples': 'off' as const }),
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  test('distinguishes times and durations from other text', () => {
    const shown = (operation: string, ...steps: string[]) =>
      followed(document, replyOf(document, theOperation(document, operation), 200) ?? {}, steps)[0];
    const formatOf = (operation: string, ...steps: string[]) => shown(operation, ...steps)?.format;
    expect(formatOf('get-voucher', 'created_at')).toBe('date-time');
    expect(formatOf('get-voucher', 'loyalty_card', 'next_expiration_date')).toBe('date');
    const pattern = new RegExp(String(shown('get-voucher', 'validity_timeframe', 'interval')?.pattern));
    expect(['PT1.5H', 'PT', '1 day'].map((text) => pattern.test(text))).toEqual([true, false, false]);
  });

  test('lists the families in the order of use, each with its own description', () => {
    const tags = document.tags as { name: string; description: string }[];
    const families = tags.map(({ name }) => name);
    const used = ['vouchers', 'validations', 'redemptions', 'customers', 'loyalties', 'exports', 'oauth', 'management'];
    expect(families.filter((name) => used.includes(name))).toEqual(used);
    const byName = tags.filter(
      ({ name, description }) => description.toLowerCase() === `${name.replaceAll('-', ' ')}.`,
    );
    expect(byName).toEqual([]);
  });

  test('is the same each time it is built', () => {
    expect(JSON.stringify(buildOpenapiDocument())).toBe(JSON.stringify(document));
  });
});
