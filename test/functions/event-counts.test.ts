import { expect, test } from 'vitest';
import { handler as listOfCustomer } from '../../functions/customers/list-customer-segments.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { fixed, openEarning } from '../support/earning.ts';
import { exported } from '../support/exported.ts';
import { loadProject } from '../support/project.ts';

const twice = (type: string, event: string) => ({
  name: event,
  type,
  filter: { junction: 'and', [`events.${event}.count`]: { conditions: { $more_than_equal: [2] } } },
});

const schemas = ['visit', 'visit.late', 'constructor'].map((name) => ({ name, metadata: {} }));

test('a segment has customers with the wanted number of events of a name, whatever else they sent', async () => {
  const world = await openEarning({ event_schema: schemas });
  for (const event of ['visit', 'visit.late', 'constructor']) {
    await world.ask(createSegment, { body: twice('passive', event) });
  }
  const never = { junction: 'and', 'events.visit.count': { conditions: { $is: [0] } } };
  await world.ask(createSegment, { body: { name: 'never', type: 'passive', filter: never } });
  const segments = async () => {
    const { data } = await world.ask(listOfCustomer, { params: { customerId: 'cust_ada' } });
    return data.map(({ name }: { name: string }) => name).sort();
  };
  const send = (event: string) => world.ask(sendEvent, { body: { event, customer: { id: 'cust_ada' } } });
  expect(await segments()).toEqual(['never']);
  await send('visit');
  await send('visit.late');
  await send('constructor');
  expect(await segments()).toEqual([]);
  await send('visit.late');
  await send('constructor');
  expect(await segments()).toEqual(['constructor', 'visit.late']);
  await send('visit');
  expect(await segments()).toEqual(['constructor', 'visit', 'visit.late']);
});

test('twenty simultaneous events are all counted, of a new customer and of a known one', async () => {
  const world = await openEarning({ event_schema: schemas });
  const counts = async () =>
    (await world.items('CUSTOMER')).filter(({ kind }) => kind === 'CUSTOMER').map(({ event_counts }) => event_counts);
  const senders = [{ id: 'cust_ada' }, { source_id: 'rush' }];
  await Promise.all(
    senders.flatMap((customer) =>
      Array.from({ length: 20 }, (_, index) =>
        world.ask(sendEvent, { body: { event: index % 2 ? 'visit' : 'visit.late', customer } }),
      ),
    ),
  );
  const each = { visit: 10, 'visit.late': 10 };
  expect(await counts()).toEqual([each, each]);
});

test('the second event puts its customer into an auto-update segment, which earns once', async () => {
  const world = await openEarning();
  const { id } = await world.ask(createSegment, { body: twice('auto-update', 'visit') });
  await world.rules('camp_club', { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(7) });
  await world.visit();
  await world.follow(2);
  expect(await world.balance('ADA')).toBe(0);
  await world.visit();
  await world.follow(3);
  await world.visit();
  await world.follow(3);
  expect(await world.balance('ADA')).toBe(7);
  const { customers } = await world.ask(listCustomers, { query: `segment_id=${id}` });
  expect(customers.map((one: { id: string }) => one.id)).toEqual(['cust_ada']);
  expect(customers[0]).not.toHaveProperty('event_counts');
});

test('counts are exported with the customer, and loaded once', async () => {
  const customer = { id: 'cust_ada', name: 'Ada', event_counts: { visit: 3 } };
  const project = await loadProject({ customers: [customer] });
  const { customers } = await exported(project.id);
  expect(customers).toEqual([expect.objectContaining(customer)]);
});
