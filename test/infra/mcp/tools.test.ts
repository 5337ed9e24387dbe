import { expect, test } from 'vitest';
import { chosenOperations } from '../../../infra/mcp/chosen.ts';
import { buildTools } from '../../../infra/mcp/tools.ts';
import { operations } from '../../../infra/operations.ts';

const byName = new Map(operations.map((one) => [one.name, one.route]));
const names = [...chosenOperations.keys()];

test('each chosen operation exists, and is called with credentials of a project', () => {
  expect(names.filter((name) => !byName.has(name))).toEqual([]);
  expect(names.filter((name) => byName.get(name)?.authentication !== 'server')).toEqual([]);
});

/** These write nothing that a caller sees. Their rights serve counts of validations, and jobs of long reports. */
const harmless = ['discount-cart', 'make-report', 'show-loyalty'];

test('a tool that changes data says so, so that it is left out unless agents may act', () => {
  const writing = names.filter((name) => byName.get(name)?.access === 'write' && !harmless.includes(name));
  expect(names.filter((name) => chosenOperations.get(name)?.acts !== undefined)).toEqual(writing);
});

test('carts, reports and closes have tools, and everything that acts on money or points for good is a single call', () => {
  expect(names).toEqual(
    expect.arrayContaining(['discount-cart', 'show-loyalty', 'list-reports', 'make-report', 'qualify']),
  );
  const once = names.filter((name) => chosenOperations.get(name)?.acts === 'once');
  expect(once).toEqual(['create-publication', 'adjust-voucher-balance', 'rollback-redemption']);
});

/** A model reads the list before each conversation. A token has some four characters. */
const maxCharacters = 100_000;

test(`the list of tools has at most ${maxCharacters} characters`, () => {
  const shown = buildTools().map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
  }));
  expect(JSON.stringify(shown).length).toBeLessThanOrEqual(maxCharacters);
});
