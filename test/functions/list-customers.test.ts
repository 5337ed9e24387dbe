import { beforeAll, describe, expect, test } from 'vitest';
import { customerLists } from '#engine/customers/change-customer.ts';
import { customers as storedCustomers } from '#engine/customers/customer.ts';
import { placeInList } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { handler as create } from '../../functions/customers/create-customer.ts';
import { handler as get } from '../../functions/customers/get-customer.ts';
import { handler } from '../../functions/customers/list-customers.ts';
import { handler as update } from '../../functions/customers/update-customer.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00.000Z`;

/** Twelve customers were created a day apart, in another order of source ids. Every third was changed, in the reverse order. */
const customers = Array.from({ length: 12 }, (_, index) => ({
  id: `cust_${String(index).padStart(2, '0')}`,
  source_id: `s${String((index * 5) % 12).padStart(2, '0')}`,
  name: index % 2 ? 'Ana' : 'Bo',
  email: `${index % 4}@shop.example`,
  address: { city: index % 3 ? 'Ulm' : 'Jena' },
  created_at: day(1 + index),
  ...(index % 3 === 0 ? { updated_at: day(28 - index) } : {}),
}));

async function desk(lists = {}) {
  const { credentials: headers } = await loadProject(lists);
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (endpoint: typeof handler) => caller(endpoint, dependencies);
  const [list, post, put, read, send] = [handler, create, update, get, sendEvent].map(call) as ReturnType<
    typeof call
  >[];
  const page = async (query = '') => (await list?.({ headers, query }))?.body;
  return {
    clock,
    lines: dependencies.lines,
    list: (query: string) => list?.({ headers, query }),
    page,
    ids: async (query = ''): Promise<string[]> => (await page(query)).customers.map(({ id }: { id: string }) => id),
    create: async (body: unknown) => (await post?.({ headers, body }))?.body,
    update: (customerId: string, body: unknown) => put?.({ headers, params: { customerId }, body }),
    get: async (customerId: string) => (await read?.({ headers, params: { customerId } }))?.body,
    send: (body: unknown) => send?.({ headers, body }),
  };
}

type Desk = Awaited<ReturnType<typeof desk>>;

const numbers = (...some: number[]) => some.map((index) => `cust_${String(index).padStart(2, '0')}`);

describe('customers of a file', () => {
  let at: Desk;
  beforeAll(async () => {
    at = await desk({ customers });
  });

  test.each<[string, string, number[], number, boolean]>([
    ['newest first', 'limit=3', [11, 10, 9], 12, true],
    ['by page', 'limit=5&page=3', [1, 0], 12, false],
    ['past the end', 'page=4', [], 12, false],
    ['oldest first', 'limit=2&order=created_at', [0, 1], 12, true],
    ['by source id', 'limit=3&order=source_id', [0, 5, 10], 12, true],
    ['by source id, from the end', 'limit=2&order=-source_id', [7, 2], 12, true],
    [
      'by their last change, which is their creation if none followed',
      'limit=5&order=updated_at',
      [1, 2, 4, 5, 7],
      12,
      true,
    ],
    ['the last changed first', 'limit=3&order=-updated_at', [0, 3, 6], 12, true],
    ['behind one of them', 'limit=2&starting_after_id=cust_05', [4, 3], 12, true],
    ['behind one of them in another order', 'limit=2&order=source_id&starting_after_id=cust_05', [10, 3], 12, true],
    ['behind the last', 'starting_after_id=cust_00', [], 12, false],
    ['made before a moment', `limit=2&starting_after=${day(3)}`, [1, 0], 12, false],
    ['made after a moment', `limit=2&order=created_at&starting_after=${day(10)}`, [10, 11], 12, false],
    [
      'made after a moment between two of them',
      'limit=1&order=created_at&starting_after=2026-03-10T12',
      [10],
      12,
      true,
    ],
    ['of one e-mail address', 'email=1@shop.example', [9, 5, 1], 3, false],
    ['of one e-mail address, by change', 'email=0@shop.example&order=updated_at', [4, 8, 0], 3, false],
    [
      'of one address, behind one of them',
      'email=0@shop.example&order=updated_at&starting_after_id=cust_04&limit=1',
      [8],
      3,
      true,
    ],
    [
      'of one address by creation, behind one',
      'email=1@shop.example&order=created_at&starting_after_id=cust_01&limit=1',
      [5],
      3,
      true,
    ],
    ['of an address without customers', 'email=x', [], 0, false],
    ['of a city', 'city=Jena&limit=3', [9, 6, 3], 4, true],
    ['of a city and a name', 'city=Jena&name=Ana', [9, 3], 2, false],
    ['of a name, by page', 'name=Ana&limit=4&page=2', [3, 1], 6, false],
    ['of a name, behind one', 'name=Ana&limit=2&starting_after_id=cust_07', [5, 3], 6, true],
    ['made in a time', `created_at[after]=${day(3)}&created_at[before]=${day(6)}`, [4, 3], 2, false],
    [
      'made in a time, in another order',
      `created_at[after]=${day(3)}&created_at[before]=${day(6)}&order=source_id`,
      [3, 4],
      2,
      false,
    ],
    ['changed before a day', 'updated_at[before]=2026-03-23&order=updated_at', [9, 6], 2, false],
    ['changed after a day', 'updated_at[after]=2026-03-23', [3, 0], 2, false],
    ['made after a moment, by source id', `order=source_id&starting_after=${day(11)}`, [11], 1, false],
  ])('are listed %s', async (_, query, ids, total, has_more) => {
    const page = await at.page(query);
    expect([page.customers.map(({ id }: { id: string }) => id), page.total, page.has_more]).toEqual([
      numbers(...ids),
      total,
      has_more,
    ]);
    expect(page.more_starting_after).toBe(has_more ? numbers(...ids).at(-1) : undefined);
    expect(page).toMatchObject({ object: 'list', data_ref: 'customers' });
  });

  test('are shown exactly as each single customer', async () => {
    expect((await at.page('limit=2')).customers).toEqual([await at.get('cust_11'), await at.get('cust_10')]);
  });

  test.each([
    'starting_after=yesterday',
    `starting_after_id=cust_01&starting_after=${day(1)}`,
    'created_at=2026-03-01',
    'updated_at[before]=2026-13-01',
  ])('are not listed with %s', async (query) => {
    const reply = await at.list(query);
    expect([reply?.status, reply?.body.key]).toEqual([400, 'invalid_query_params']);
  });
});

describe('a list of customers', () => {
  test('has customers that a request and an event created, and follows their changes', async () => {
    const at = await desk({ event_schema: [{ name: 'visit', metadata: {} }] });
    const { id: one } = await at.create({ source_id: 'b', email: 'b@shop.example' });
    at.clock.advance(1);
    await at.send({ event: 'visit', customer: { source_id: 'a', email: 'a@shop.example' } });
    const { id: other } = await at.get('a');
    expect(await at.ids()).toEqual([other, one]);
    expect(await at.ids('order=source_id')).toEqual([other, one]);
    at.clock.advance(1);
    await at.update('b', { email: 'a@shop.example', address: { city: 'Ulm' } });
    expect(await at.ids('order=-updated_at')).toEqual([one, other]);
    expect(await at.ids('email=a@shop.example')).toEqual([other, one]);
    expect(await at.ids('email=b@shop.example')).toEqual([]);
    expect(await at.ids('city=Ulm')).toEqual([one]);
    at.clock.advance(1);
    await at.send({ event: 'visit', customer: { source_id: 'a', email: null } });
    expect(await at.ids('email=a@shop.example')).toEqual([one]);
    expect(await at.ids('updated_at[after]=2026-06-15T12:00:02')).toEqual([other]);
  });

  test('finds an e-mail address in any case and with blanks at its ends, and shows the sent spelling', async () => {
    const at = await desk({ event_schema: [{ name: 'visit', metadata: {} }] });
    const { id: loud, email } = await at.create({ source_id: 'loud', email: 'ADA@MAIL.EXAMPLE' });
    expect(email).toBe('ADA@MAIL.EXAMPLE');
    at.clock.advance(1);
    const { id: spaced } = await at.create({ source_id: 'spaced', email: ' Ada@mail.example\t' });
    at.clock.advance(1);
    await at.send({ event: 'visit', customer: { source_id: 'sent', email: ' aDA@mail.example ' } });
    const { id: sent } = await at.get('sent');
    const all = [sent, spaced, loud];
    expect((await at.get('spaced')).email).toBe('Ada@mail.example');
    expect((await at.get('sent')).email).toBe('aDA@mail.example');
    for (const asked of ['ada@mail.example', 'ADA@Mail.Example', '%20Ada@mail.example%20']) {
      expect(await at.ids(`email=${asked}`), asked).toEqual(all);
      expect(await at.ids(`email=${asked}&order=updated_at`), asked).toEqual([...all].reverse());
      for (const operator of ['$is', '$in', '$contains', '$starts_with', '$ends_with']) {
        const filter = `filters[email][conditions][${operator}]=${asked}`;
        expect(await at.ids(filter), filter).toEqual(all);
      }
      expect(await at.ids(`filters[email][conditions][$is_not]=${asked}`)).toEqual([]);
    }
  });

  test('finds customers whose list was made by the release before, which kept the sent spelling', async () => {
    const { id, credentials: headers } = await loadProject({
      customers: [{ id: 'cust_old', email: 'Old@mail.example' }],
    });
    const { dynamodb, tableName } = testDependencies();
    const before = placeInList(customerLists.email, [id, 'Old@mail.example'], [day(1), 'cust_old']);
    const update = Object.entries(before).reduce((one, [name, value]) => one.set([name], value), new Update());
    await new Table(dynamodb, tableName, testTime).change(storedCustomers(id, 'cust_old'), update.build());
    const list = caller(handler, testDependencies());
    const find = async (email: string) => (await list({ headers, query: `email=${email}` })).body.customers.length;
    expect(await find('Old@mail.example')).toBe(1);
  });

  test.each(['created_at', '-created_at'])(
    'is walked by %s with the time of the last one, and misses nobody though many were made at once',
    async (order) => {
      const at = await desk({
        customers: Array.from({ length: 40 }, (_, index) => ({
          id: `cust_${index}`,
          created_at: day(1 + (index % 3)),
        })),
      });
      const found: string[] = [];
      for (
        let after = order.startsWith('-') ? '2200-01-01T00:00:00Z' : '1970-01-01T00:00:00Z', goesOn = true;
        goesOn;
      ) {
        const page = await at.page(`limit=10&order=${order}&starting_after=${after}`);
        found.push(...page.customers.map(({ id }: { id: string }) => id));
        after = page.customers.at(-1)?.created_at;
        goesOn = page.has_more;
      }
      expect(found).toHaveLength(40);
      expect(new Set(found).size).toBe(40);
    },
  );
});
