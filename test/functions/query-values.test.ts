import { beforeAll, describe, expect, test } from 'vitest';
import { handler as listCategories } from '../../functions/categories/list-categories.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as listPublications } from '../../functions/publications/list-publications.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';

const dependencies = testDependencies();
let headers: Record<string, string>;

beforeAll(async () => {
  headers = (await loadDemo(dependencies)).credentials;
});

const totalOf = async (handler: Parameters<typeof caller>[0], query: string) => {
  const { status, body, headers: replied } = await caller(handler, dependencies)({ headers, query });
  return { status, total: body.total as number, ignored: replied['X-Ignored-Fields'] };
};

describe('a boolean of a query', () => {
  test.each([
    ['1', 'true'],
    ['0', 'false'],
  ])('may be %s for %s', async (digit, word) => {
    const [short, long] = [
      await totalOf(listPublications, `is_referral_code=${digit}`),
      await totalOf(listPublications, `is_referral_code=${word}`),
    ];
    expect(short).toEqual(long);
    expect(short.status).toBe(200);
  });

  test.each(['2', '01', 'yes'])('may not be %s', async (text) => {
    expect((await totalOf(listPublications, `is_referral_code=${text}`)).status).toBe(400);
  });
});

describe('a filter that is a plain text', () => {
  test.each([
    ['a list with filters', listCustomers],
    ['a list without filters', listCategories],
  ])('narrows nothing and is named as ignored on %s', async (_, handler) => {
    const all = await totalOf(handler, '');
    expect(all.total).toBeGreaterThan(0);
    for (const query of ['filters=none', 'filters=1']) {
      expect(await totalOf(handler, query)).toEqual({ status: 200, total: all.total, ignored: 'filters' });
    }
  });

  test('leaves the refusal of unknown fields and operators unchanged', async () => {
    for (const query of ['filters[nothing][conditions][$is]=1', 'filters[email]=none']) {
      expect((await totalOf(listCustomers, query)).status).toBe(400);
    }
  });
});
