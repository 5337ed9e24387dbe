import { describe, expect, test } from 'vitest';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as create } from '../../functions/management/create-event-schema.ts';
import { handler as remove } from '../../functions/management/delete-event-schema.ts';
import { handler as get } from '../../functions/management/get-event-schema.ts';
import { handler as list } from '../../functions/management/list-event-schemas.ts';
import { handler as update } from '../../functions/management/update-event-schema.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime, uniqueId } from '../support/dependencies.ts';
import { loadFile, loadProject } from '../support/project.ts';

async function world(lists: object = {}) {
  const project = await loadProject({ ...lists });
  const dependencies = testDependencies();
  const call = (handler: Parameters<typeof caller>[0], schemaId?: string, body?: object) =>
    caller(
      handler,
      dependencies,
    )({
      params: { projectId: project.id, ...(schemaId === undefined ? {} : { schemaId }) },
      ...(body ? { body } : {}),
    });
  return {
    project,
    create: (name: string, properties: object = {}) => call(create, undefined, { name, schema: { properties } }),
    list: () => call(list),
    get: (id: string) => call(get, id),
    update: (id: string, properties: object) => call(update, id, { schema: { properties } }),
    remove: (id: string) => call(remove, id),
    send: (event: string, metadata: object = {}) =>
      caller(
        sendEvent,
        dependencies,
      )({ headers: project.credentials, body: { event, customer: { source_id: 'a' }, metadata } }),
  };
}

const number = { type: 'number', optional: true };

describe('custom event schemas', () => {
  test('allow events from their creation until their deletion', async () => {
    const own = await world();
    expect((await own.send('photo')).body.key).toBe('event_not_defined');
    const { status, body } = await own.create('photo', {
      likes: number,
      place: { type: 'string', optional: false },
      at: { type: 'datetime' },
    });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^ms_/),
        name: 'photo',
        schema: {
          properties: {
            likes: number,
            place: { type: 'string', optional: false },
            at: { type: 'datetime', optional: true },
          },
        },
        created_at: testTime.toISOString(),
        updated_at: null,
        object: 'custom-event-schema',
      },
    ]);
    expect((await own.get(body.id)).body).toEqual(body);
    expect((await own.list()).body).toMatchObject({ data: [body], total: 1 });
    expect((await own.send('photo', { place: 'quay', likes: 3, at: '2026-01-01T00:00:00Z' })).status).toBe(200);
    const { body: refused } = await own.send('photo', { likes: 'three', at: '2026-01-01' });
    expect(refused.key).toBe('metadata_validation_failed');
    for (const fault of [
      'metadata.likes must be a number',
      'metadata.at must be a date and time',
      'metadata.place is required',
    ])
      expect(refused.details).toContain(fault);
    expect((await own.remove(body.id)).status).toBe(204);
    expect((await own.send('photo', { place: 'quay' })).body.key).toBe('event_not_defined');
    for (const reply of [await own.get(body.id), await own.update(body.id, {}), await own.remove(body.id)])
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'custom_event_schema', resource_id: body.id });
  });

  test('change by the sent properties; others stay, and deleted ones disappear', async () => {
    const own = await world();
    const { body } = await own.create('photo', { likes: number, place: { type: 'string' } });
    const { body: changed } = await own.update(body.id, {
      likes: { type: 'string' },
      place: { type: 'string', deleted: true },
    });
    expect(changed).toMatchObject({
      schema: { properties: { likes: { type: 'string', optional: true } } },
      created_at: body.created_at,
      updated_at: testTime.toISOString(),
    });
    expect(Object.keys(changed.schema.properties)).toEqual(['likes']);
    expect((await own.send('photo', { place: 'quay' })).body.details).toContain('metadata.place is not defined');
  });

  test('all stay of twenty created at once, listed by name; of twenty with one name one stays, and the others get 409', async () => {
    const own = await world({ event_schema: [{ name: 'old', metadata: { a: 'string' } }] });
    await Promise.all(Array.from({ length: 20 }, (_, index) => own.create(`event ${index}`)));
    const { total, data } = (await own.list()).body;
    const names = data.map(({ name }: { name: string }) => name);
    expect([total, names]).toEqual([21, names.toSorted()]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.create('one')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.find(({ status }) => status !== 200)?.body).toMatchObject({
      code: 409,
      key: 'duplicate_found',
      resource_type: 'custom_event_schema',
      resource_id: 'one',
    });
    expect((await own.list()).body.total).toBe(22);
  });

  test('come from a project file, and stay when it is loaded again', async () => {
    const own = await world({ event_schema: [{ name: 'old', metadata: { a: { type: 'date', required: true } } }] });
    const { body } = await own.list();
    expect(body.data).toMatchObject([
      { name: 'old', schema: { properties: { a: { type: 'date', optional: false } } }, created_at: null },
    ]);
    await own.create('constructor', { likes: number });
    await loadFile(own.project.file);
    expect((await own.list()).body.total).toBe(2);
    expect((await own.send('constructor', { likes: 1 })).status).toBe(200);
  });

  test.each(['order.paid', 'customer.segment.entered', ''])('cannot have the name %s', async (name) => {
    const own = await world();
    expect((await own.create(name)).body).toMatchObject({ code: 400, key: 'invalid_payload' });
  });

  test('belong to an existing project', async () => {
    const projectId = uniqueId('proj_');
    const { body } = await caller(list)({ params: { projectId } });
    expect(body).toMatchObject({ code: 404, resource_type: 'project', resource_id: projectId });
  });
});
