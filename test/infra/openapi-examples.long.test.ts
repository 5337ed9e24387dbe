import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import replyExamples from '../../infra/openapi/reply-examples.json' with { type: 'json' };
import { operations } from '../../infra/operations.ts';
import { apiEvent } from '../support/api-event.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { bodyIn, componentIn, replyOf, theDocument, theOperation, validatorOf } from '../support/openapi.ts';
import { sampled } from '../support/sampled.ts';

const document = theDocument();

describe('an example', () => {
  const dependencies = testDependencies({ managementGuard: 'open' });
  let requestTo: Awaited<ReturnType<typeof requestsTo>>;
  let server: RunningServer;

  beforeAll(async () => {
    requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
    server = await startServer({ dependencies, port: 0 });
  });

  afterAll(() => server.close());

  test.each(Object.entries(replyExamples))('of %s fits its schema in the document', (name, example) => {
    expect(componentIn(document, name)).not.toEqual({});
    const validate = validatorOf(document, { $ref: `#/components/schemas/${name}` });
    expect([validate(example), validate.errors]).toEqual([true, null]);
  });

  test.each(sampled(operations, 40))('of a request to $name fits the document and is answered', async (operation) => {
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
