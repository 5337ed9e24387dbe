import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';

const dependencies = testDependencies();
let server: RunningServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startServer({ dependencies, port: 0 });
  headers = (await loadDemo(dependencies)).credentials;
});
afterAll(() => server.close());

/** The serializer of docs/requests.md#clients. */
const pairs = (value: unknown, name: string): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pairs(inner, name === '' ? key : `${name}[${key}]`))
    : value === undefined
      ? []
      : [[name, String(value)]];

interface Customers {
  readonly '/v1/customers': {
    readonly parameters: Record<string, never>;
    readonly get: {
      readonly parameters: { readonly query: { readonly filters: object } };
      readonly responses: { readonly 200: { readonly content: { 'application/json': { total: number } } } };
    };
  };
}

test('openapi-fetch sends filters with the serializer of the docs', async () => {
  const client = createClient<Customers>({
    baseUrl: server.baseUrl,
    headers,
    querySerializer: (query) => new URLSearchParams(pairs(query, '')).toString(),
  });
  const totalOf = async (filters: object) =>
    (await client.GET('/v1/customers', { params: { query: { filters } } })).data?.total;
  expect(await totalOf({ id: { conditions: { $is: 'cust_ingrid' } } })).toBe(1);
  expect(await totalOf({ id: { conditions: { $in: ['cust_ingrid', 'cust_oluf'] } } })).toBe(2);
  expect(await totalOf({ id: { conditions: { $is: 'nobody' } } })).toBe(0);
});
