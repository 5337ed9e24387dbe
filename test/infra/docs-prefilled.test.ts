import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { bracketsScript } from '../../infra/docs/files.ts';
import { startServer } from '../../infra/local/server.ts';
import { operations } from '../../infra/operations.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { type Json, theDocument, theOperation } from '../support/openapi.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const dependencies = testDependencies();

const project = await loadDemo(dependencies);
const pageToken = await issueToken(project.credentials, 'client_api', dependencies);
const server = await startServer({ dependencies, port: 0 });

afterAll(() => server.close());

interface Parameter {
  name: string;
  in: string;
  schema: Json;
  example?: unknown;
}

const document = theDocument();
const lists = operations.filter(({ name, route }) => route.method === 'GET' && /^list-/.test(name));
const parametersOf = (name: string) => (theOperation(document, name).parameters ?? []) as unknown as Parameter[];

/** Returns what Swagger UI prefills: an example, else a default. It invents values for objects only. */
function prefilled({ name, schema, example }: Parameter): [string, unknown][] {
  const value = example ?? schema.default;
  if (value !== undefined) return [[name, value]];
  return schema.type === 'object' ? [[name, { additionalProp1: {} }]] : [];
}

/** Swagger UI writes one level of brackets, and JSON below it. */
function asSwaggerUiWrites([name, value]: [string, unknown]): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, inner]) => [
    `${name}[${key}]`,
    typeof inner === 'object' ? JSON.stringify(inner) : String(inner),
  ]);
}

const bracketed: (address: string) => string = runInNewContext(`${bracketsScript}; bracketed`, { URLSearchParams });

describe('the page sends nested keys in brackets at every level', () => {
  test.each([
    ['/a', '/a'],
    ['/a?x={"y":1}', '/a?x=%7B%22y%22%3A1%7D'],
    ['/a?f[b]={"c":{"$d":["e","g"]}}', '/a?f%5Bb%5D%5Bc%5D%5B%24d%5D%5B0%5D=e&f%5Bb%5D%5Bc%5D%5B%24d%5D%5B1%5D=g'],
    ['/a?f[b]={no', '/a?f%5Bb%5D=%7Bno'],
  ])('%s', (written, sent) => {
    expect(bracketed(written)).toBe(sent);
  });
});

describe('a list answers 200 as the page prefills it:', () => {
  test.each(lists)('$name', async ({ name, route }) => {
    const parameters = parametersOf(name);
    const of = (place: string) => parameters.filter((one) => one.in === place).flatMap(prefilled);
    const { params = {} } = JSON.parse(JSON.stringify(route.example).replaceAll('proj_demo', project.id));
    const path = route.path.replace(/\{(\w+)\}/g, (_, one: string) => encodeURIComponent(params[one]));
    const query = new URLSearchParams(of('query').flatMap(asSwaggerUiWrites));
    const headers = route.authentication === 'client' ? bearer(pageToken) : project.credentials;
    const reply = await fetch(server.baseUrl + bracketed(`${path}?${query}`), { headers });
    expect([reply.status, reply.headers.get('x-ignored-fields')], await reply.text()).toEqual([200, null]);
  });

  test('and shows the customers of the demo', async () => {
    const query = new URLSearchParams(
      parametersOf('list-customers')
        .filter((one) => one.in === 'query')
        .flatMap(prefilled)
        .flatMap(asSwaggerUiWrites),
    );
    const reply = await fetch(server.baseUrl + bracketed(`/v1/customers?${query}`), { headers: project.credentials });
    const { customers } = (await reply.json()) as { customers: unknown[] };
    expect(customers).not.toEqual([]);
  });
});
