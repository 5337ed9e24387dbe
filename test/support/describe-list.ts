import { expect, test } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import type { Operation } from '../../infra/operations.ts';
import type { Request } from './api-event.ts';
import { caller } from './call.ts';

interface Element {
  readonly id?: unknown;
}

interface Subject {
  /** Returns a request that succeeds. */
  readonly request: () => Request;
  readonly dependencies: Dependencies;
  /** Orders that are not reversed by a dash, because elements without a value come last in either direction. */
  readonly oneWay: readonly string[];
}

/** Returns the values of a parameter, such as `created_at` and `-created_at`. */
function valuesOf(schema: object | undefined): string[] {
  if (schema === undefined) return [];
  if ('options' in schema && Array.isArray(schema.options)) return schema.options.map(String);
  return 'wrapped' in schema ? valuesOf(Object(schema.wrapped)) : [];
}

const outOfRange = ['0', '101', 'x', '1.5', '-1', '01', '1e1'];

/** Checks the rules of every list, by the parameters that its operation describes. */
export function describeList(operation: Operation, { request, dependencies, oneWay }: Subject): void {
  const { query: schema } = operation.route;
  const parameters: Readonly<Record<string, object>> = schema && 'entries' in schema ? Object(schema.entries) : {};
  const names = Object.keys(parameters);
  const call = caller(operation.handler, dependencies);

  const reply = (query: string, own = request().query) => {
    const parts = [own, query].filter(Boolean);
    const { query: _, ...others } = request();
    return call({ ...others, ...(parts.length > 0 ? { query: parts.join('&') } : {}) });
  };
  const expectRefused = async (query: string, details: unknown) => {
    const { status, body } = await reply(query);
    expect([query, status, body.key, body.details]).toEqual([query, 400, 'invalid_query_params', details]);
  };
  /** Lists with a page and an order instead of the example's page, order and filters. */
  const list = async (query: string) => {
    const kept = request()
      .query?.split('&')
      .filter((part) => !/^(?:limit|page|order|filters.*)=/.test(part));
    const { status, body } = await reply(query, kept?.join('&'));
    expect([status, body.details]).toEqual([200, undefined]);
    const elements: Element[] = body[body.data_ref];
    return { ...body, elements };
  };

  test.each([
    ['filters[of_nobody][conditions][$is]=1', /of_nobody|filters/],
    ['[filters][of_nobody][conditions][$is]=1', /of_nobody|filters/],
    ['metadata[colour]=red', /^metadata\[\.\.\.\] does not exist/],
    ['created_at[since]=2026-01-01', /created_at/],
    ['of_nobody[before]=2026-01-01', /of_nobody\[\.\.\.\] does not exist/],
  ])('refuses %s, which would narrow it, and names the existing filters', async (query, named) => {
    const { status, body } = await reply(query);
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    expect(body.details).toMatch(named);
    const [known] = names;
    if (known && !query.includes('filters')) expect(body.details).toContain(known);
  });

  test('ignores another unknown parameter, and names it', async () => {
    const { status, headers } = await reply('of_nobody=1&of%20nobody,=2');
    expect([status, headers['X-Ignored-Fields']]).toEqual([200, 'of_nobody, of%20nobody%2C']);
  });

  test('treats an empty value as missing, in every parameter', async () => {
    const unsent = names.filter((name) => !request().query?.includes(name));
    const empty = unsent.flatMap((name) => [`${name}=`, `${name}[]=`]);
    const more = ['created_at[before]=', 'filters[id][conditions][$is]=', 'of_nobody='];
    const [plain, said] = [await reply(''), await reply([...empty, ...more].join('&'))];
    expect(said.status).toBe(200);
    expect(said.headers).not.toHaveProperty('X-Ignored-Fields');
    expect(said.body).toEqual(plain.body);
  });

  for (const name of ['limit', 'page'].filter((one) => names.includes(one))) {
    test(`refuses a ${name} that is not a whole number from 1 to 100`, async () => {
      for (const value of outOfRange) {
        await expectRefused(`${name}=${value}`, `${name} must be an integer from 1 to 100`);
      }
    });
  }

  if (names.includes('page')) {
    test('has each element once, page by page, and none past the end, with the same total', async () => {
      const { elements, total } = await list('limit=100&page=1');
      for (const [index, element] of elements.slice(0, 4).entries()) {
        const page = await list(`limit=1&page=${index + 1}`);
        expect([page.elements, page.total]).toEqual([[element], total]);
        if ('has_more' in page) expect(page.has_more).toBe(index + 1 < elements.length);
      }
      const end = await list('limit=100&page=100');
      expect([end.elements, end.total, end.has_more ?? false]).toEqual([[], total, false]);
    });
  }

  if (names.includes('starting_after_id')) {
    test('is walked by its cursor, which meets each element once, and refuses an unknown cursor', async () => {
      const { elements } = await list('limit=100');
      const met: Element[] = [];
      let behind = '';
      do {
        const page = await list(`limit=1${behind}`);
        met.push(...page.elements);
        const next = 'has_more' in page ? page.more_starting_after : page.elements[0]?.id;
        behind = next === undefined ? '' : `&starting_after_id=${next}`;
      } while (behind && met.length <= elements.length);
      expect(met).toEqual(elements);
      const { status, body } = await reply('starting_after_id=nobody');
      expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    });
  }

  const orders = valuesOf(parameters.order).filter((value) => !value.startsWith('-'));
  if (orders.length > 0) {
    test('refuses an unknown order', () => expectRefused('order=of_nobody', expect.stringMatching(/^order must be /)));

    test.each(orders)('has in the order %s the same elements in either direction', async (order) => {
      const [up, down] = [await list(`limit=100&order=${order}`), await list(`limit=100&order=-${order}`)];
      expect(down.total).toBe(up.total);
      const byId = (elements: Element[]) => elements.map(({ id }) => String(id)).sort();
      if (oneWay.includes(order)) expect(byId(down.elements)).toEqual(byId(up.elements));
      else expect(down.elements).toEqual(up.elements.toReversed());
    });
  }
}
