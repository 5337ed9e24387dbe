import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { sampled } from '../support/sampled.ts';

/** A little more than 4 MiB of JSON. */
const large = `["${'x'.repeat(4 * 1024 * 1024)}"]`;

const dependencies = testDependencies();
const requestTo = await requestsTo(await loadDemo(dependencies), dependencies);

const takesJson = ({ route: { body } }: Operation) => typeof body === 'object' && body.format === 'json';

describe('a JSON body above 4 MiB is refused with the limit, and the refusal of a list says how to send its rows:', () => {
  test.each(sampled(operations.filter(takesJson), 30))('$name', async (operation) => {
    const { headers, params, query } = requestTo(operation);
    const { status, body } = await caller(operation.handler)({
      ...(params ? { params } : {}),
      ...(query === undefined ? {} : { query }),
      headers: { ...headers, 'content-type': 'application/json' },
      body: large,
    });
    expect([status, body.key]).toEqual([413, 'payload_too_large']);
    expect(body.details).toContain('4194304 bytes');
    const { body: described } = operation.route;
    const isList = typeof described === 'object' && 'type' in described.schema && described.schema.type === 'array';
    expect(body.details.includes('send its rows in several requests')).toBe(isList);
  });
});
