import { describe, expect, test } from 'vitest';
import { handler as create } from '../../functions/management/create-metadata-schema.ts';
import { handler as remove } from '../../functions/management/delete-metadata-schema.ts';
import { handler as get } from '../../functions/management/get-project-metadata-schema.ts';
import { handler as list } from '../../functions/management/list-project-metadata-schemas.ts';
import { handler as update } from '../../functions/management/update-metadata-schema.ts';
import { handler as getPublic } from '../../functions/metadata-schemas/get-metadata-schema.ts';
import { handler as listPublic } from '../../functions/metadata-schemas/list-metadata-schemas.ts';
import { handler as createProduct } from '../../functions/products/create-product.ts';
import { handler as updateProduct } from '../../functions/products/update-product.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

async function world() {
  const project = await loadProject({});
  const dependencies = testDependencies();
  type Handler = Parameters<typeof caller>[0];
  const manage = (handler: Handler, metadataSchemaId?: string, body?: object) =>
    caller(
      handler,
      dependencies,
    )({
      params: { projectId: project.id, ...(metadataSchemaId === undefined ? {} : { metadataSchemaId }) },
      ...(body ? { body } : {}),
    });
  const call = (handler: Handler, request: object) =>
    caller(handler, dependencies)({ headers: project.credentials, ...request });
  return {
    create: (related_object: string, properties: object = {}, more: object = {}) =>
      manage(create, undefined, { related_object, properties, ...more }),
    list: () => manage(list),
    get: (id: string) => manage(get, id),
    update: (id: string, properties: object, more: object = {}) => manage(update, id, { properties, ...more }),
    remove: (id: string) => manage(remove, id),
    listPublic: () => call(listPublic, {}),
    getPublic: (resource: string) => call(getPublic, { params: { resource } }),
    createProduct: (metadata?: object | null) =>
      call(createProduct, { body: { name: 'Tin', ...(metadata === undefined ? {} : { metadata }) } }),
    updateProduct: (productId: string, metadata: object | null) =>
      call(updateProduct, { params: { productId }, body: { metadata } }),
  };
}

const size = { type: 'number', array: false, optional: true };

describe('metadata schemas', () => {
  test('are shown in snake case to managers, and in camel case to others', async () => {
    const own = await world();
    await own.create('box', { lid: { type: 'boolean' } });
    const text = {
      type: 'string',
      array: true,
      optional: false,
      ne: ['x'],
      min_length: 1,
      max_length: 9,
      exact_length: 3,
    };
    const box = { type: 'object', array: false, optional: true, object_type: 'box' };
    const { status, body } = await own.create('product', { code: text, box, size });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^ms_/),
        related_object: 'product',
        properties: { code: text, box, size },
        allow_defined_only: false,
        created_at: testTime.toISOString(),
        updated_at: null,
        object: 'metadata_schema',
      },
    ]);
    expect((await own.get(body.id)).body).toEqual(body);
    const { body: all } = await own.list();
    expect(all).toMatchObject({ object: 'list', data_ref: 'data', total: 2 });
    expect(all.data.map((one: { related_object: string }) => one.related_object)).toEqual(['box', 'product']);
    const { min_length, max_length, exact_length, ...rest } = text;
    const camelCase = {
      ...body,
      properties: {
        code: { ...rest, minLength: min_length, maxLength: max_length, exactLength: exact_length },
        box: { type: 'object', array: false, optional: true, objectType: 'box' },
        size,
      },
    };
    expect((await own.getPublic('product')).body).toEqual(camelCase);
    const { body: listed } = await own.listPublic();
    expect(listed).toMatchObject({ object: 'list', data_ref: 'schemas', total: 2 });
    expect(listed.schemas[1]).toEqual(camelCase);
  });

  test('answer 404 by the name of the resource, and 409 for a second schema', async () => {
    const own = await world();
    const unknown = { code: 404, resource_type: 'metadata schema' };
    expect((await own.getPublic('order')).body).toMatchObject({ ...unknown, resource_id: 'order' });
    for (const reply of [await own.get('ms_none'), await own.update('ms_none', {}), await own.remove('ms_none')])
      expect(reply.body).toMatchObject({ ...unknown, resource_id: 'ms_none' });
    const { body } = await own.create('order');
    expect((await own.create('order')).body).toMatchObject({
      key: 'duplicate_found',
      resource_id: 'order',
      resource_type: 'metadata schema',
    });
    expect((await own.remove(body.id)).status).toBe(204);
    expect((await own.getPublic('order')).status).toBe(404);
    expect((await own.create('order')).body.id).toBe(body.id);
  });

  test('change by the sent definitions, and types never change, not even of retired definitions', async () => {
    const own = await world();
    const { body } = await own.create('product', { size, colour: { type: 'string' } }, { allow_defined_only: true });
    const retired = { ...size, deleted: true };
    const { body: changed } = await own.update(body.id, { size: retired, weight: size });
    expect(changed).toMatchObject({
      properties: { size: retired, weight: size, colour: { type: 'string' } },
      allow_defined_only: true,
      updated_at: testTime.toISOString(),
    });
    for (const [definition, place] of [
      [{ type: 'string' }, 'properties.size.type is number'],
      [{ type: 'number', array: true }, 'properties.size.array is false'],
    ] as const) {
      const { status, body: refused } = await own.update(body.id, { size: definition });
      expect([status, refused.key, refused.details]).toEqual([400, 'invalid_payload', expect.stringContaining(place)]);
    }
    expect((await own.update(body.id, {}, { allow_defined_only: false })).body.allow_defined_only).toBe(false);
    expect((await own.get(body.id)).body.properties).toEqual(changed.properties);
  });

  const many = (number: number, first = 0) =>
    Object.fromEntries(Array.from({ length: number }, (_, index) => [`key${first + index}`, { type: 'string' }]));

  test('have at most 100 definitions, retired ones included', async () => {
    const own = await world();
    expect((await own.create('product', many(101))).body.details).toContain('at most 100 definitions');
    const { body } = await own.create('product', { ...many(99), old: { type: 'string', deleted: true } });
    expect(Object.keys(body.properties)).toHaveLength(100);
    expect((await own.update(body.id, many(1, 99))).body.details).toContain('at most 100 definitions');
    expect((await own.update(body.id, { old: { type: 'string' } })).status).toBe(200);
  });

  test('share 200 KB in a project', async () => {
    const own = await world();
    const eq = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(300, 'x'));
    expect((await own.create('order', { colour: { type: 'string', eq } })).status).toBe(200);
    const { status, body } = await own.create('product', { colour: { type: 'string', eq } });
    expect([status, body.details]).toEqual([400, expect.stringContaining('204800 bytes')]);
  });

  test('nest custom schemas that exist, and never in a circle', async () => {
    const own = await world();
    const nested = (object_type: string) => ({ inner: { type: 'object', object_type } });
    expect((await own.create('product', nested('box'))).body.details).toContain('box is none');
    expect((await own.create('product', nested('order'))).body.details).toContain('order is a resource');
    const { body: box } = await own.create('box', { lid: { type: 'boolean' } });
    const { body: crate } = await own.create('crate', nested('box'));
    expect((await own.update(box.id, nested('crate'))).body.details).toContain('box > crate > box');
    expect((await own.update(box.id, nested('box'))).body.details).toContain('box > box');
    expect((await own.remove(box.id)).body).toMatchObject({ key: 'resource_in_use', resource_id: box.id });
    await own.update(crate.id, { inner: { type: 'object', object_type: 'box', deleted: true } });
    expect((await own.remove(box.id)).status).toBe(204);
  });

  test('leave one of two simultaneous changes that together close a circle', async () => {
    const own = await world();
    const nested = (object_type: string) => ({ inner: { type: 'object', object_type } });
    const [box, crate] = [await own.create('box'), await own.create('crate')];
    const changed = await Promise.all([
      own.update(box.body.id, nested('crate')),
      own.update(crate.body.id, nested('box')),
    ]);
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test.each([
    [{ type: 'text' }, 'properties.it.type'],
    [{ type: 'string', lt: 3 }, 'properties.it.lt is only a limit of number'],
    [{ type: 'number', gt: 'a' }, 'properties.it.gt must be a number'],
    [{ type: 'date', lte: '2026-02-30' }, 'properties.it.lte must be an existing date'],
    [{ type: 'number', gte: 3, lte: 2 }, 'properties.it.gte must not be more than lte'],
    [{ type: 'number', max_length: 2 }, 'properties.it.max_length is only a limit of string'],
    [{ type: 'string', min_length: 3, max_length: 2 }, 'properties.it.min_length must not be more'],
    [{ type: 'number', eq: [1, 'b'] }, 'properties.it.eq[1] must be a number'],
    [{ type: 'string', object_type: 'box' }, 'properties.it.object_type is only for object'],
    [{ type: 'object', ne: ['a'] }, 'properties.it.ne is not a limit of object'],
  ])('refuse a definition that can never hold: %j', async (it, place) => {
    const { status, body } = await (await world()).create('product', { it });
    expect([status, body.key, body.details]).toEqual([400, 'invalid_payload', expect.stringContaining(place)]);
  });

  test('leave one of two simultaneous creations, and both of two changes', async () => {
    const own = await world();
    const created = await Promise.all([own.create('product', { a: size }), own.create('product', { b: size })]);
    expect(created.map(({ status }) => status).sort()).toEqual([200, 409]);
    const id = created.find(({ status }) => status === 200)?.body.id;
    await Promise.all([own.update(id, { c: size }), own.update(id, { d: size }), own.create('order', { e: size })]);
    expect(Object.keys((await own.get(id)).body.properties)).toEqual(expect.arrayContaining(['c', 'd']));
    expect((await own.list()).body.total).toBe(2);
  });
});

describe('existing objects', () => {
  test('stay readable under a new schema, and their next change of metadata must fit', async () => {
    const own = await world();
    const { body: old } = await own.createProduct({ size: 'ten', colour: 'red' });
    const sku = { type: 'string', optional: false };
    expect((await own.create('product', { size, sku })).status).toBe(200);
    const { body } = await own.updateProduct(old.id, { colour: 'blue' });
    expect([body.key, body.details]).toEqual([
      'metadata_validation_failed',
      'metadata.size must be a number, but is "ten"',
    ]);
    // A required key that was missing before may stay missing, and cannot be taken away again.
    expect((await own.updateProduct(old.id, { size: 10 })).body.metadata).toEqual({ size: 10, colour: 'red' });
    expect((await own.updateProduct(old.id, { sku: 'a' })).status).toBe(200);
    for (const sent of [{ sku: null }, null])
      expect((await own.updateProduct(old.id, sent)).body.details).toContain('metadata.sku is required');
  });

  test('keep undefined keys when only defined ones are allowed, and get no new ones', async () => {
    const own = await world();
    const { body: old } = await own.createProduct({ colour: 'red' });
    await own.create('product', { size }, { allow_defined_only: true });
    expect((await own.updateProduct(old.id, { size: 3 })).status).toBe(200);
    for (const sent of [{ colour: 'blue' }, { other: 1 }])
      expect((await own.updateProduct(old.id, sent)).body.details).toContain('is not defined by the schema product');
    expect((await own.updateProduct(old.id, { colour: null })).body.metadata).toEqual({ colour: null, size: 3 });
  });
});
