import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as create } from '../../functions/product-collections/create-product-collection.ts';
import { handler as remove } from '../../functions/product-collections/delete-product-collection.ts';
import { handler as list } from '../../functions/product-collections/list-collection-activities.ts';
import { handler as update } from '../../functions/product-collections/update-product-collection.ts';
import { caller } from '../support/call.ts';
import { templateWorld } from '../support/campaign-templates.ts';
import { testDependencies } from '../support/dependencies.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { dynamic, filterOf } from '../support/product-collections.ts';
import { loadProject } from '../support/project.ts';

const dear = filterOf('price', { $more_than: [100] });
const cheap = filterOf('price', { $less_than: [10] });

async function open() {
  const { id: projectId, credentials: headers } = await loadProject({
    product_collections: [{ id: 'pc_filed', type: 'AUTO_UPDATE', name: 'Filed', filter: dear }],
  });
  const ask = (handler: Endpoint, productCollectionId: string, request: object = {}) =>
    caller(handler, testDependencies())({ headers, params: { productCollectionId }, ...request });
  return {
    projectId,
    headers,
    ask,
    make: async (body: object = dynamic(dear)) => (await caller(create)({ headers, body })).body,
    change: (id: string, body: object) => ask(update, id, { body }),
    remove: (id: string) => ask(remove, id),
    activities: async (id: string, query = '') => (await ask(list, id, { query })).body,
  };
}

const typesOf = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type);

describe('the activities of a collection', () => {
  test('tell its creation, its changes and its deletion, with the collection after each', async () => {
    const { make, change, remove: removing, activities } = await open();
    const made = await make();
    expect((await change(made.id, { name: 'Newer' })).status).toBe(200);
    expect((await change(made.id, { filter: cheap })).status).toBe(200);
    expect((await change(made.id, { name: 'Newest', filter: dear })).status).toBe(200);
    expect((await removing(made.id)).status).toBe(204);
    const page = await activities(made.id, 'order=created_at');
    expect(typesOf(page)).toEqual([
      'products_collection.created',
      'products_collection.updated',
      'products_collection.filters_updated',
      'products_collection.updated',
      'products_collection.filters_updated',
      'products_collection.deleted',
    ]);
    expect(page).toMatchObject({ object: 'list', data_ref: 'data', has_more: false });
    expect(page.data[0]).toEqual({
      id: expect.stringMatching(/^act_/),
      type: 'products_collection.created',
      created_at: made.created_at,
      group_id: expect.any(String),
      data: { data: { products_collection: made }, event_source: { channel: 'API', api_key: expect.any(Object) } },
    });
    const states = page.data.map(
      ({ data }: { data: { data: Record<string, object> } }) => data.data.products_collection,
    );
    expect(states).toMatchObject([
      { name: 'Found', filter: dear },
      { name: 'Newer', filter: dear },
      { name: 'Newer', filter: cheap },
      { name: 'Newest', filter: dear },
      { name: 'Newest', filter: dear },
      { name: 'Newest', filter: dear },
    ]);
    // The newest is first unless the query says otherwise.
    expect(typesOf(await activities(made.id))).toEqual(typesOf(page).toReversed());
    expect(typesOf(await activities(made.id, 'type=products_collection.updated'))).toHaveLength(2);
    expect(await activities(made.id, 'type=products_collection.none')).toMatchObject({ data: [] });
  });

  test('are none for a refused change, and none for one that changes nothing', async () => {
    const { make, change, activities } = await open();
    const made = await make();
    expect((await change(made.id, { name: 'Found', filter: dear })).status).toBe(200);
    expect((await change(made.id, { name: '' })).status).toBe(400);
    expect(typesOf(await activities(made.id))).toEqual(['products_collection.created']);
  });

  test('have none of the creation by a project file, and All Products has none at all', async () => {
    const { change, activities } = await open();
    expect(await activities('pc_filed')).toMatchObject({ data: [], has_more: false });
    await change('pc_filed', { name: 'Renamed' });
    expect(typesOf(await activities('pc_filed'))).toEqual(['products_collection.updated']);
    expect(await activities('pc_a11pr0dUc75')).toMatchObject({ data: [] });
  });

  test('are walked by a cursor without a gap, in both directions', async () => {
    const { change, activities } = await open();
    for (const name of ['A', 'B', 'C', 'D', 'E']) await change('pc_filed', { name });
    for (const order of ['created_at', '-created_at']) {
      const { data: whole } = await activities('pc_filed', `order=${order}`);
      const walked: string[] = [];
      for (let behind = ''; ; ) {
        const page = await activities('pc_filed', `order=${order}&limit=2${behind && `&starting_after_id=${behind}`}`);
        walked.push(...page.data.map(({ id }: { id: string }) => id));
        expect(page.has_more).toBe(page.more_starting_after !== undefined);
        if (!page.has_more) break;
        behind = page.more_starting_after;
      }
      expect(walked).toEqual(whole.map(({ id }: { id: string }) => id));
      expect(walked).toHaveLength(5);
    }
    expect(await activities('pc_filed', 'starting_after_id=act_none')).toMatchObject({ key: 'invalid_query_params' });
  });

  test('of another project and of a collection that never was are 404', async () => {
    const { make } = await open();
    const made = await make();
    const other = await open();
    for (const id of [made.id, 'pc_none']) expect(await other.activities(id)).toMatchObject({ code: 404 });
  });
});

test('a change that meets a deletion is 404 and no activity', async () => {
  const { headers, remove: removing, activities } = await open();
  const deletion = async () => expect((await removing('pc_filed')).status).toBe(204);
  const params = { productCollectionId: 'pc_filed' };
  const reply = await meanwhile(beforeTransaction(), deletion, (container) =>
    caller(update, container)({ headers, params, body: { name: 'Late' } }),
  );
  expect(reply).toMatchObject({ status: 404 });
  expect(typesOf(await activities('pc_filed'))).toEqual(['products_collection.deleted']);
});

test('a repeated creation with one idempotency key is told once', async () => {
  const { headers, activities } = await open();
  const once = { ...headers, 'idempotency-key': 'shelf-1' };
  const [first, second] = [
    await caller(create)({ headers: once, body: dynamic(dear) }),
    await caller(create)({ headers: once, body: dynamic(dear) }),
  ];
  expect(second.body).toEqual(first.body);
  expect(typesOf(await activities(first.body.id))).toEqual(['products_collection.created']);
});

test('the setup of a template in another project tells of the collections that it creates', async () => {
  const own = await templateWorld();
  const { body: template } = await own.create({ name: 'Tea', campaign_id: 'camp_tea' });
  const there = await templateWorld({});
  const { body: copy } = await own.copy(template.id, { name: 'Tea', destination_project_id: there.project.id });
  const made = await there.campaign(copy.id, { name: 'New' });
  expect(made.status).toBe(200);
  const created = made.body.created_resources.filter(
    ({ object }: { object: string }) => object === 'products_collection',
  );
  expect(created).toHaveLength(2);
  for (const { id } of created) {
    const params = { productCollectionId: id };
    const { body } = await caller(list)({ headers: there.project.credentials, params });
    expect(body.data).toMatchObject([
      { type: 'products_collection.created', data: { data: { products_collection: { id } } } },
    ]);
  }
});
