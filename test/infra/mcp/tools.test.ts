import { expect, test } from 'vitest';
import { chosenOperations } from '../../../infra/mcp/chosen.ts';
import { buildTools } from '../../../infra/mcp/tools.ts';
import { operations } from '../../../infra/operations.ts';

const byName = new Map(operations.map((one) => [one.name, one.route]));
const names = [...chosenOperations.keys()];
const routeOf = (name: string) => byName.get(chosenOperations.get(name)?.preview?.of ?? name);

test('each chosen operation exists, and is called with credentials of a project', () => {
  expect(names.filter((name) => !routeOf(name))).toEqual([]);
  expect(names.filter((name) => routeOf(name)?.authentication !== 'server')).toEqual([]);
});

/** These write nothing that a caller sees. Their rights serve counts of validations, and jobs of long reports. */
const harmless = ['discount-cart', 'make-report', 'show-loyalty', 'preview-return'];

test('a tool that changes data says so, so that it is left out unless agents may act', () => {
  const writing = names.filter((name) => routeOf(name)?.access === 'write' && !harmless.includes(name));
  expect(names.filter((name) => chosenOperations.get(name)?.acts !== undefined)).toEqual(writing);
});

test('carts, reports and closes have tools, and everything that acts on money or points for good is a single call', () => {
  expect(names).toEqual(
    expect.arrayContaining(['discount-cart', 'show-loyalty', 'list-reports', 'make-report', 'qualify']),
  );
  const once = names.filter((name) => chosenOperations.get(name)?.acts === 'once');
  expect(once).toEqual(['create-publication', 'adjust-voucher-balance', 'rollback-redemption', 'create-return']);
});

test('a preview is always a dry run, and a return needs an id, so that a repetition returns nothing twice', () => {
  const bodyOf = (name: string) => Object(buildTools().find((one) => one.name === name)?.inputSchema.properties).body;
  expect(buildTools().find(({ name }) => name === 'preview-return')?.fixed).toEqual({ dry_run: true });
  expect(Object.keys(bodyOf('preview-return').properties)).toEqual(['items', 'amount', 'options']);
  expect(bodyOf('create-return').required).toEqual(['source_id']);
});

test('an object that a cart repeats is described once, and each of its places leads to it', () => {
  const { $defs, ...rest } = Object(buildTools().find(({ name }) => name === 'qualify')?.inputSchema);
  const { customer, order } = $defs.QualifyRequest.properties;
  const places = [customer, order.properties.customer, order.properties.referrer];
  expect(places.map(({ $ref }) => $ref)).toEqual(Array(3).fill('#/$defs/customer'));
  expect(order.properties.referrer.description).toBeDefined();
  expect(Object.keys($defs.customer.properties)).toEqual(expect.arrayContaining(['source_id', 'email', 'address']));
  const text = JSON.stringify([rest, $defs]);
  const named = [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn($defs, name))).toEqual([]);
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
