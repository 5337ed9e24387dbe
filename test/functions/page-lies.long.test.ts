import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { type GuardedShop, guardedShop, mark } from '../support/guarded-shop.ts';
import { sharedOut } from '../support/sampled.ts';

/**
 * Sends every client operation every field that a web page must not decide. A new operation or field fails here until these lists have it.
 */

const client = operations.filter(({ route }) => route.path.startsWith('/client/v1/'));

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

const line = { product_id: 'prod_mug', quantity: 1 };
const cart = { customer: { source_id: 'ada' }, order: { items: [line] } };
const redeemables = [{ object: 'voucher', id: 'TEN' }];
const inAddress = 'customer[source_id]=ada&item[0][product_id]=prod_mug&item[0][quantity]=1';

/** Calls that get 200. */
const calls: Record<string, Sent> = {
  'create-customer-from-page': { body: { source_id: 'ada' } },
  'list-client-promotion-tiers': {},
  'list-vouchers-for-page': { query: 'customer=ada' },
  'publish-from-page': { body: { campaign: { name: 'Open' }, customer: { source_id: 'ada' } } },
  'qualify-from-page': { body: cart },
  'redeem-from-page': { body: { redeemables, ...cart } },
  'redeem-promotion-tier-from-page': { params: { promotionTierId: 'promo_all' }, body: cart },
  'redeem-voucher-from-page': { query: 'code=TEN', body: cart },
  'send-client-event': { body: { event: 'visit', customer: { source_id: 'ada' } } },
  'validate-from-page': { body: { redeemables, ...cart } },
  'validate-promotions-from-page': { query: inAddress },
  'validate-voucher-from-page': { query: `code=TEN&${inAddress}` },
};

const ofCustomer = {
  name: 'Eve',
  description: 'Eve',
  email: 'eve@post.example',
  phone: '+1 555',
  birthday: '2000-01-01',
  birthdate: '2000-01-01',
  address: { city: 'Eve' },
  metadata: mark,
};
const ofProduct = { override: true, name: 'Eve', price: 1, metadata: mark };
const ofSku = { override: true, sku: 'Eve', price: 1, metadata: mark };
const ofLine = {
  price: 1,
  amount: 1,
  initial_amount: 1,
  discount_amount: 1,
  initial_quantity: 0,
  discount_quantity: 1,
  metadata: mark,
};
const ofOrder = {
  status: 'PAID',
  created_at: '2020-01-01T00:00:00Z',
  initial_amount: 1,
  discount_amount: 1,
  metadata: mark,
};

const under = (place: string, fields: object) =>
  Object.entries(fields).map(([name, value]) => [place ? `${place}.${name}` : name, value] as const);

/** Fields that a web page must not decide, each with an attacker's value. */
const lies: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...under('customer', ofCustomer),
  ...under('order', ofOrder),
  ...under('order.customer', ofCustomer),
  ...under('order.referrer', ofCustomer),
  ...under('order.items[]', ofLine),
  ...under('order.items[].product', ofProduct),
  ...under('order.items[].sku', ofSku),
  ...under('item[]', ofLine),
  ...under('item[].product', ofProduct),
  ...under('item[].sku', ofSku),
  // Redemptions, publications and events have this field.
  ['metadata', { amount: 1_000_000_000 }],
]);

/** The same field if the body is the customer. */
const bareLies: ReadonlyMap<string, unknown> = new Map(under('', ofCustomer));

/** Fields that a web page decides: names, its cart, and its options. */
const decided = [
  /^(code|tracking_id|voucher|campaign|campaign\.name|event|scenario|source_id|id|channel|join_once)$/,
  /^(customer|order)$/,
  /^(customer|order\.customer|order\.referrer)\.(id|source_id)$/,
  /^order\.(id|source_id|amount|items|customer|customer_id|referrer|referrer_id)$/,
  /^(order\.items|item)\[\](\.(id|source_id|related_object|product_id|sku_id|quantity|product|sku))?$/,
  /^(order\.items|item)\[\]\.(product|sku)\.(id|source_id)$/,
  /^(item|amount)$/,
  /^redeemables(\[\](\.(object|id|gift|gift\.credits|reward|reward\.(id|assignment_id|points)))?)?$/,
  /^(gift|gift\.credits|reward|reward\.(id|assignment_id|points))$/,
  /^(loyalty|loyalty\.code|referral|referral\.(code|referrer_id))$/,
  /^(session|session\.|session_|options|options\.)/,
  /^(limit|page|order|is_available)$/,
  // More than one is refused, see `page-money.long.test.ts`.
  /^campaign\.count$/,
];

type Schema = v.GenericSchema;

const at = (schema: unknown, name: string): unknown =>
  typeof schema === 'object' && schema !== null && Object.hasOwn(schema, name) ? Reflect.get(schema, name) : undefined;

/** Returns all fields of a schema by their places. An open object is one place. */
function* placesIn(schema: unknown, place = ''): Generator<string> {
  const wrapped = at(schema, 'wrapped');
  if (wrapped) return yield* placesIn(wrapped, place);
  const options = at(schema, 'options');
  if (Array.isArray(options) && typeof options[0] === 'object') for (const one of options) yield* placesIn(one, place);
  const item = at(schema, 'item');
  if (item) yield* placesIn(item, `${place}[]`);
  const value = at(schema, 'value');
  if (at(schema, 'type') === 'record' && at(value, 'entries')) yield* placesIn(value, `${place}[]`);
  for (const [name, inner] of Object.entries(at(schema, 'entries') ?? {})) {
    const within = place ? `${place}.${name}` : name;
    yield within;
    yield* placesIn(inner, within);
  }
}

function schemasOf({ route }: (typeof client)[number]): Schema[] {
  const { query, body } = route;
  return [...(query ? [query] : []), ...(typeof body === 'object' ? [body.schema] : [])];
}

/** Returns the body with the value at the place. In a list every line gets it. */
function withLie(value: unknown, [step, ...rest]: readonly string[], lie: unknown): unknown {
  if (step === undefined) return lie;
  if (step === '[]') return Array.isArray(value) ? value.map((one) => withLie(one, rest, lie)) : value;
  const known = typeof value === 'object' && value !== null ? value : {};
  return { ...known, [step]: withLie(at(known, step), rest, lie) };
}

const stepsOf = (place: string) => place.replaceAll('[]', '.[]').split('.');

/** Returns the same field as part of an address. */
function* inQuery(place: string, lie: unknown): Generator<string> {
  if (typeof lie !== 'object' || lie === null) return yield `${place}=${encodeURIComponent(String(lie))}`;
  for (const [name, value] of Object.entries(lie)) yield* inQuery(`${place}[${name}]`, value);
}

function bracketed(place: string): string {
  const [first, ...rest] = stepsOf(place);
  return `${first}${rest.map((step) => (step === '[]' ? '[0]' : `[${step}]`)).join('')}`;
}

function lying({ query = '', body }: Sent, place: string, lie: unknown): Sent {
  if (body) return { query, body: Object(withLie(body, stepsOf(place), lie)) };
  return { query: [query, ...inQuery(bracketed(place), lie)].join('&') };
}

const pick = (from: unknown, ...names: string[]) => Object.fromEntries(names.map((name) => [name, at(from, name)]));

/** Returns the parts of a reply that a lie would change. */
function outcomeOf({ status, body }: { status: number; body: unknown }) {
  const order = at(body, 'order');
  const lines = at(order, 'items');
  return {
    status,
    ...pick(body, 'valid', 'key'),
    order: pick(order, 'status', 'amount', 'discount_amount', 'total_discount_amount', 'total_amount'),
    lines: Array.isArray(lines) ? lines.map((one) => pick(one, 'price', 'amount', 'product', 'sku', 'metadata')) : [],
    voucher: pick(at(body, 'voucher'), 'code', 'type'),
  };
}

const guarded = ['campaigns', 'products', 'skus', 'promotion_tiers', 'validation_rules', 'earning_rules'];

/** Reads everything that no web page may change. It reads only the identity of customers. */
// A redemption counts in the summary of its tier.
const withoutFigures = ({ summary: _, ...one }: { id: string; summary?: unknown }) => one;
async function stateOf({ id }: GuardedShop) {
  const file = await exported(id);
  const who = (file.customers ?? []).map((one: object) => pick(one, 'id', 'source_id', ...Object.keys(ofCustomer)));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    customers: who.toSorted(byId),
    orders: [...new Set((file.orders ?? []).map(({ status }: { status: string }) => status))],
    rest: Object.fromEntries(guarded.map((list) => [list, file[list]?.map?.(withoutFigures).toSorted(byId)])),
  };
}

const pointsOf = async ({ customer }: GuardedShop): Promise<number> => (await customer('ada')).body.loyalty.points;

const everySwitch = {
  events: true,
  referrals: true,
  publication: true,
  redemption: true,
  customers: true,
  customer_metadata: true,
  wallet: true,
};

test('every field of a client operation is one that a web page decides, or one that is tried here', () => {
  const unsaid = client.flatMap((one) =>
    schemasOf(one)
      .flatMap((schema) => [...placesIn(schema)])
      .filter((place) => !decided.some((pattern) => pattern.test(place)))
      .filter((place) => ![...lies.keys()].some((known) => place === known || place.startsWith(`${known}.`)))
      .filter(
        (place) =>
          one.name !== 'create-customer-from-page' || ![...bareLies.keys()].includes(place.split('.')[0] ?? ''),
      )
      .map((place) => `${one.name}: ${place}`),
  );
  expect(unsaid).toEqual([]);
});

test('every client operation has a call here', () => {
  expect(client.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
});

describe('a field that a web page must not decide has no effect, with every switch on', () => {
  test.each(client)('$name', async ({ name, handler }) => {
    const shop = await guardedShop(everySwitch);
    const { params = {}, ...plain } = calls[name] ?? {};
    const ask = (sent: Sent) => caller(handler)({ headers: shop.headers, params, ...sent });
    const before = await stateOf(shop);
    const expected = outcomeOf(await ask(plain));
    expect(expected.status).toBe(200);
    const earned = await pointsOf(shop);
    let points = earned;
    const all = name === 'create-customer-from-page' ? bareLies : lies;
    const turn = client.findIndex((one) => one.name === name);
    for (const [place, lie] of sharedOut([...all], turn)) {
      const outcome = outcomeOf(await ask(lying(plain, place, lie)));
      // Lists refuse unknown names that would narrow them.
      const isRefused = name.startsWith('list-') && at(outcome, 'key') === 'invalid_query_params';
      expect([place, isRefused ? expected : outcome]).toEqual([place, expected]);
      points += earned;
      expect([place, await pointsOf(shop)]).toEqual([place, points]);
    }
    const after = await stateOf(shop);
    expect(after).toEqual({ ...before, orders: after.orders });
    expect(after.orders).toEqual(name.startsWith('redeem-') ? ['CREATED'] : []);
  });
});
