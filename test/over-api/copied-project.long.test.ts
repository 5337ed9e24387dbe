import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementKeyOfAll } from '#kernel/access/projects/manage-keys.ts';
import { Table } from '#kernel/table/table.ts';
import { startServer } from '../../infra/local/server.ts';
import { testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadTeam, newUser } from '../support/users.ts';
import { Api } from './api.ts';
import { Copying, copyProject, readAll, readProject } from './copy.ts';
import { asEntry, type Entry, part, renamed, without } from './project.ts';
import { createProject, setUp } from './set-up.ts';

/** Each look at the clock is a little later, so that lists have the order of creation. */
let looks = 0;
const clock = () => new Date(testTime.getTime() + looks++);
const dependencies = testDependencies({ managementGuard: 'keys', clock });
const owner = newUser();
const helper = newUser();

let server: Awaited<ReturnType<typeof startServer>>;
let first: Api;
let copy: Api;
let copying: Copying;

/** Makes the first project and its copy. The users and the key of the operators exist before. */
beforeAll(async () => {
  await loadTeam([
    [owner, 'ADMIN'],
    [helper, 'VIEWER'],
  ]);
  const table = new Table(dependencies.dynamodb, dependencies.tableName, testTime);
  const id = uniqueId('ops-');
  const token = await createManagementKeyOfAll(table, { id, name: 'Operators' });
  const management = { 'x-management-id': id, 'x-management-token': token };
  server = await startServer({ dependencies, port: 0 });
  const { baseUrl } = server;
  const apiOf = (projectId: string, credentials: Record<string, string>) =>
    new Api({
      baseUrl,
      projectId,
      credentials: { ...credentials, ...management },
      settle: () => runOutbox(projectId, dependencies),
    });
  const operators = apiOf('', {});
  const project = await createProject(operators, {
    name: uniqueId('Quay '),
    case_sensitive_codes: false,
    timezone: 'Europe/Oslo',
    currency: 'NOK',
    client_redeem_enabled: true,
    default_code_config: { length: 6 },
    users: [
      { login: owner.login, role: 'ADMIN' },
      { id: helper.id, role: 'MERCHANT' },
    ],
  });
  first = apiOf(project.id, project.credentials);
  await setUp(first);
  await first.settle();
  const made = await createProject(operators, await readProject(first, uniqueId('Quay again ')));
  copy = apiOf(made.id, made.credentials);
  copying = new Copying(first, copy);
  await copyProject(copying);
  await copy.settle();
});

afterAll(() => server.close());

/** Fields that differ between projects. */
const own = ['created_at', 'updated_at', 'assets', 'automation_id', 'validation_rule_assignments'];

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(without(asEntry(value), ...own)).map(([name, one]) => [name, bare(one)]));
}

/** Returns the entries of a list, with the ids of the first project, sorted by their text. */
async function shown(api: Api, list: string): Promise<unknown[]> {
  const names = new Map([...copying.ids].map(([before, after]) => [after, before]));
  names.set(copy.projectId, first.projectId);
  const entries = (await readAll(api, list)).map((entry) => bare(renamed(entry, names)));
  return entries.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test.each(['users', 'keys', 'metadata-schemas', 'custom-event-schemas', 'branding', 'stacking-rules', 'webhooks'])(
  'the copy has the same %s',
  async (name) => {
    const of = (api: Api) => shown(api, `/management/v1/projects/${api.projectId}/${name}`);
    expect(await of(first)).not.toEqual([]);
    expect(await of(copy)).toEqual(await of(first));
  },
);

test('the copy has keys of every type, and none of the first project', async () => {
  const keysOf = (api: Api) => readAll(api, `/management/v1/projects/${api.projectId}/keys`);
  const [before, after] = [await keysOf(first), await keysOf(copy)];
  expect(new Set(after.map(({ type }) => type))).toEqual(new Set(['SERVER', 'CLIENT', 'MANAGEMENT']));
  expect(after.filter(({ id }) => before.some((key) => key.id === id))).toEqual([]);
});

test.each([
  '/v1/categories',
  '/v1/products',
  '/v1/product-collections',
  '/v1/segments',
  '/v1/customers',
  '/v1/validation-rules',
  '/v1/campaigns',
  '/v1/promotions/tiers',
  '/v1/rewards',
])('the copy has the same %s', async (list) => {
  expect(await shown(first, list)).not.toEqual([]);
  expect(await shown(copy, list)).toEqual(await shown(first, list));
});

test('the copy has the same rules, rewards and tiers of its programme', async () => {
  for (const name of ['earning-rules', 'rewards', 'tiers']) {
    const of = (api: Api) => shown(api, `/v1/loyalties/Crew/${name}`);
    expect(await of(first)).not.toEqual([]);
    expect(await of(copy)).toEqual(await of(first));
  }
});

/** Publishes, pays and earns as a shop does. Returns what a customer and a till see. */
async function live(api: Api): Promise<Entry> {
  const ana = { source_id: 'ana' };
  const published = asEntry(
    await api.send('POST', '/v1/publications', { campaign: { name: 'Coffee for regulars' }, customer: ana }),
  );
  const code = part(published, 'voucher').code;
  const order = {
    items: [{ source_id: 'beans', product_id: 'beans', quantity: 2 }],
    metadata: { shop: 'harbour' },
  };
  const redeemed = asEntry(
    await api.send('POST', '/v1/redemptions', {
      redeemables: [{ object: 'voucher', id: String(code).toLowerCase() }],
      customer: ana,
      order,
    }),
  );
  const member = part(
    asEntry(await api.send('POST', '/v1/publications', { campaign: { name: 'Crew' }, customer: ana })),
    'voucher',
  );
  const send = (event: string, more: object) => api.send('POST', '/v1/events', { event, customer: ana, ...more });
  await send('cup_returned', { metadata: { cups: 1 } });
  const paid = asEntry(
    await api.send('POST', '/v1/orders', { ...order, customer: ana, status: 'PAID', amount: 15_000 }),
  );
  const card = asEntry(await api.send('GET', `/v1/vouchers/${String(member.code)}`));
  const found = asEntry(
    await api.send('POST', '/v1/qualifications', { customer: ana, order, scenario: 'ALL', options: { limit: 10 } }),
  );
  return {
    discount: part(redeemed, 'order').total_discount_amount,
    paid: paid.amount,
    balance: part(card, 'loyalty_card').balance,
    qualified: part(found, 'redeemables').total,
  };
}

test('the same purchases bring the same discounts and points in both projects', async () => {
  const before = await live(first);
  expect(before).toMatchObject({ discount: 3600, paid: 15_000, balance: 45 });
  expect(await live(copy)).toEqual(before);
});

test.each([
  ['an order without its required metadata', '/v1/orders', { amount: 100 }, 'metadata_validation_failed'],
  ['an undefined event', '/v1/events', { event: 'never', customer: { source_id: 'ana' } }, 'event_not_defined'],
])('both projects refuse %s', async (_, path, body, key) => {
  for (const api of [first, copy]) await expect(api.send('POST', path, body)).rejects.toMatchObject({ key });
});
