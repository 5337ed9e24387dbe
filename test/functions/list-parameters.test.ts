import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { isList } from '../../lib/http/unknown-params.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';

/** What holds of the parameters of every list, whatever it shows. */

const lists = operations.filter(({ route }) => isList(route));
const dependencies = testDependencies({ managementGuard: 'open' });
let requestTo: Awaited<ReturnType<typeof requestsTo>>;

beforeAll(async () => {
  requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
});

type Operation = (typeof lists)[number];

function call(operation: Operation, query: string) {
  const { query: own, ...request } = requestTo(operation);
  const parts = [own, query].filter(Boolean);
  return caller(
    operation.handler,
    dependencies,
  )({ ...request, ...(parts.length > 0 ? { query: parts.join('&') } : {}) });
}

function namesOf({ route }: Operation): string[] {
  return route.query && 'entries' in route.query ? Object.keys(Object(route.query.entries)) : [];
}

test('there are lists of every kind', () => {
  expect(lists.length).toBeGreaterThan(50);
});

describe.each(lists)('$name', (operation) => {
  test.each([
    ['filters[of_nobody][conditions][$is]=1', /of_nobody|filters/],
    ['[filters][of_nobody][conditions][$is]=1', /of_nobody|filters/],
    ['filters=1', /filters/],
    ['metadata[colour]=red', /^metadata\[\.\.\.\] does not exist/],
    ['created_at[since]=2026-01-01', /created_at/],
    ['of_nobody[before]=2026-01-01', /of_nobody\[\.\.\.\] does not exist/],
  ])('refuses %s, which would narrow it, and names what exists', async (query, named) => {
    const { status, body } = await call(operation, query);
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    expect(body.details).toMatch(named);
    const [known] = namesOf(operation);
    if (known && !query.includes('filters')) expect(body.details).toContain(known);
  });

  test('ignores another parameter that it does not know, and names it', async () => {
    const { status, headers } = await call(operation, 'of_nobody=1&of%20nobody,=2');
    expect([status, headers['X-Ignored-Fields']]).toEqual([200, 'of_nobody, of%20nobody%2C']);
  });

  test('takes an empty value for none, of every parameter', async () => {
    const known = namesOf(operation).filter((name) => !requestTo(operation).query?.includes(name));
    const empty = known.flatMap((name) => [`${name}=`, `${name}[]=`]);
    const more = ['created_at[before]=', 'filters[id][conditions][$is]=', 'of_nobody='];
    const [plain, said] = [await call(operation, ''), await call(operation, [...empty, ...more].join('&'))];
    expect(said.status).toBe(200);
    expect(said.headers).not.toHaveProperty('X-Ignored-Fields');
    expect(said.body).toEqual(plain.body);
  });

  if (namesOf(operation).includes('page'))
    test('has no page beyond the hundredth', async () => {
      const { status, body } = await call(operation, 'page=101');
      expect([status, body.key, body.details]).toEqual([
        400,
        'invalid_query_params',
        'page must be an integer from 1 to 100',
      ]);
    });
});
