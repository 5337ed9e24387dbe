import { beforeAll, describe, expect, test } from 'vitest';
import type { Method } from '#kernel/http/route.ts';
import type { Resource } from '#kernel/kit/resource/shape.ts';
import { operations } from '../../infra/operations.ts';
import type { Request } from './api-event.ts';
import { caller, type Reply } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { loadProject, type TestProject } from './project.ts';

type Body = Record<string, unknown>;

interface Crud {
  /** Returns a body that creates an element. Each number gives another name. */
  body: (number: number) => Body;
  /** Bodies that are refused, by the path in the error. */
  refused: Readonly<Record<string, Body>>;
  /** Fields of the read reply that the write reply does not have. */
  read?: Body;
}

/** Returns the family's operations on the collection and on one element, under any name. */
function endpointsOf(family: string) {
  const find = (method: Method, ofOne: boolean) => {
    // Longer paths belong to the element's children.
    const [found] = operations
      .filter(
        ({ family: own, route: { method: by, path } }) =>
          own === family && by === method && path.endsWith('}') === ofOne,
      )
      .sort((one, other) => one.route.path.length - other.route.path.length);
    if (!found) throw new Error(`${family} has no ${method} of ${ofOne ? 'one' : 'all'}`);
    return found.handler;
  };
  return {
    create: find('POST', false),
    list: find('GET', false),
    get: find('GET', true),
    update: find('PUT', true),
    remove: find('DELETE', true),
  };
}

type Call = (name: 'create' | 'get' | 'update' | 'remove', request?: Request) => Promise<Reply>;

/** Checks that a caller's own id works as well as the service's id. `one` is the element in a path. */
export function describeSourceId(
  resource: Resource,
  call: Call,
  one: (name: unknown) => Request,
  body: (number: number) => Body,
  read: Body = {},
): void {
  const named = (source_id: string, more: Body = {}) => ({ body: { ...body(60), source_id, ...more } });
  const created = async (request: Request) => {
    const reply = await call('create', request);
    expect(reply.status).toBe(200);
    return reply.body;
  };

  describe(`the source id of a ${resource.name}`, () => {
    test('identifies it as well as its id does', async () => {
      const { id, ...own } = await created(named('own 1'));
      expect((await call('get', one('own 1'))).body).toEqual({ id, ...own, ...read });
      expect((await call('update', { ...one('own 1'), body: { metadata: { seen: 1 } } })).body.id).toBe(id);
      expect((await call('update', { ...one(id), body: { source_id: 'own 2' } })).body.source_id).toBe('own 2');
      for (const name of ['get', 'remove'] as const) expect((await call(name, one('own 1'))).status).toBe(404);
      expect((await call('remove', { ...one('own 2'), query: 'force=true' })).status).toBe(204);
      expect((await created(named('own 2'))).id).not.toBe(id);
    });

    test('makes creation return the existing one, as its id does, and merges metadata by key', async () => {
      const { id } = await created(named('known', { metadata: { a: 1, b: 1 } }));
      const changed = await created({ body: { ...body(61), source_id: 'known', metadata: { b: null, c: 3 } } });
      expect(changed).toMatchObject({ ...body(61), id, source_id: 'known', metadata: { a: 1, b: null, c: 3 } });
      const moved = await created({ body: { id, source_id: 'known by now', metadata: null } });
      expect(moved).toMatchObject({ ...body(61), id, source_id: 'known by now', metadata: {} });
      const unknown = await call('create', { body: { id: `${resource.idPrefix}nobody`, source_id: 'known by now' } });
      expect([unknown.status, unknown.body.resource_id]).toEqual([404, `${resource.idPrefix}nobody`]);
    });

    test('is refused if another one has it', async () => {
      const [first, second] = [await created(named('first')), await created(named('second'))];
      for (const taken of [
        await call('update', { ...one(first.id), body: { source_id: 'second' } }),
        await call('create', { body: { id: first.id, source_id: 'second' } }),
      ]) {
        expect(taken.body).toMatchObject({
          key: 'duplicate_found',
          resource_id: 'second',
          resource_type: resource.name,
        });
      }
      expect((await call('update', { ...one(first.id), body: { source_id: null } })).status).toBe(200);
      expect((await call('update', { ...one(second.id), body: { source_id: 'first' } })).status).toBe(200);
    });

    test('creates only one when twenty callers create it at once, and keeps what each of them sent', async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
      const replies = await Promise.all(keys.map((key) => created(named('at once', { metadata: { [key]: true } }))));
      expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
      const { metadata } = (await call('get', one('at once'))).body;
      expect(Object.keys(metadata).sort()).toEqual(keys.toSorted());
    });
  });
}

/** Checks the five endpoints of a plain resource. */
export function describeCrud(family: string, resource: Resource, { body, refused, read = {} }: Crud): void {
  const endpoints = endpointsOf(family);
  const [param = ''] = [...endpoints.get.route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const clock = standingClock();
  let project: TestProject;
  beforeAll(async () => {
    project = await loadProject();
  });

  /** Each call happens a second after the previous call, which gives the elements an order. */
  async function call(name: keyof typeof endpoints, request: Request = {}, of = project): Promise<Reply> {
    clock.advance(1);
    return caller(
      endpoints[name],
      testDependencies({ clock }),
    )({ ...request, headers: { ...of.credentials, ...request.headers } });
  }
  const one = (id: unknown): Request => ({ params: { [param]: String(id) } });
  const made = async (number: number, of = project) => {
    const reply = await call('create', { body: body(number) }, of);
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const [unique] = resource.unique;

  describe(`a ${resource.name}`, () => {
    test('is created, read, changed, read again and deleted; then it no longer exists', async () => {
      const created = await made(1);
      expect(created).toMatchObject({ ...body(1), object: resource.name });
      expect(created.id).toMatch(new RegExp(`^${resource.idPrefix}`));
      expect(created.updated_at ?? undefined).toBeUndefined();
      expect((await call('get', one(created.id))).body).toEqual({ ...created, ...read });
      const changed = await call('update', { ...one(created.id), body: body(2) });
      expect(changed.body).toMatchObject({ ...body(2), id: created.id, created_at: created.created_at });
      expect(changed.body.updated_at > created.created_at).toBe(true);
      expect((await call('get', one(created.id))).body).toEqual({ ...changed.body, ...read });
      expect((await call('remove', one(created.id))).status).toBe(204);
      for (const name of ['get', 'remove'] as const) {
        expect((await call(name, one(created.id))).body).toMatchObject({
          key: 'not_found',
          resource_id: created.id,
          resource_type: resource.name,
        });
      }
      expect((await call('update', { ...one(created.id), body: body(3) })).status).toBe(404);
    });

    test.each(Object.entries(refused))(
      'is refused for a wrong %s at creation and update, and nothing changes',
      async (place, wrong) => {
        const created = await made(10);
        for (const reply of [
          await call('create', { body: wrong }),
          await call('update', { ...one(created.id), body: wrong }),
        ]) {
          expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
          expect(`; ${reply.body.details}`).toContain(`; ${place} `);
        }
        expect((await call('get', one(created.id))).body).toEqual({ ...created, ...read });
        await call('remove', one(created.id));
      },
    );

    test('cannot be seen, changed or deleted from another project', async () => {
      const created = await made(20);
      const other = await loadProject();
      for (const name of ['get', 'update', 'remove'] as const) {
        const reply = await call(name, { ...one(created.id), ...(name === 'update' ? { body: body(21) } : {}) }, other);
        expect(reply.status).toBe(404);
      }
      expect((await call('list', {}, other)).body.total).toBe(0);
      expect((await call('get', one(created.id))).body).toEqual({ ...created, ...read });
    });

    test('is created once under one idempotency key, however often the caller tries', async () => {
      const headers = { 'idempotency-key': 'once' };
      const replies = await Promise.all([1, 2, 3].map(() => call('create', { body: body(30), headers })));
      const ids = new Set(replies.flatMap(({ status, body: own }) => (status === 200 ? [own.id] : [])));
      expect(ids.size).toBe(1);
      expect((await call('create', { body: body(30), headers })).body.id).toBe([...ids][0]);
    });
  });

  if (resource.sourceId) describeSourceId(resource, call, one, body, read);
  else if (unique !== undefined) {
    describe(`the ${unique} of a ${resource.name}`, () => {
      test('is unique: others get 409 until it is free again', async () => {
        const [first, second] = [await made(40), await made(41)];
        const taken = { key: 'duplicate_found', resource_id: String(body(40)[unique]), resource_type: resource.name };
        expect((await call('create', { body: body(40) })).body).toMatchObject(taken);
        expect((await call('update', { ...one(second.id), body: body(40) })).body).toMatchObject(taken);
        expect((await call('update', { ...one(first.id), body: body(40) })).status).toBe(200);
        await call('update', { ...one(first.id), body: body(42) });
        expect((await call('update', { ...one(second.id), body: body(40) })).status).toBe(200);
        await call('remove', one(second.id));
        await made(40);
      });

      test('is given to only one of twenty callers who want it at once', async () => {
        const replies = await Promise.all(Array.from({ length: 20 }, () => call('create', { body: body(50) })));
        const statuses = replies.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(new Set(statuses)).toEqual(new Set([200, 409]));
      });
    });
  }

  describe(`the list of every ${resource.name}`, () => {
    test('has each element once, newest first or as ordered, page by page, with the total', async () => {
      const own = await loadProject();
      const all: Body[] = [];
      for (const number of [3, 1, 4, 2, 5]) all.push(await made(number, own));
      const ids = async (query: string) => {
        const reply = await call('list', { query }, own);
        expect(reply.status).toBe(200);
        return reply.body[resource.dataRef].map(({ id }: Body) => id);
      };
      const inTime = all.map(({ id }) => id);
      expect(await ids('')).toEqual(inTime.toReversed());
      expect(await ids('order=created_at')).toEqual(inTime);
      const pages = await Promise.all([1, 2, 3, 4].map((page) => call('list', { query: `limit=2&page=${page}` }, own)));
      expect(pages.flatMap((page) => page.body[resource.dataRef].map(({ id }: Body) => id))).toEqual(
        inTime.toReversed(),
      );
      expect(pages.map((page) => [page.body.total, page.body.has_more])).toEqual([
        [5, true],
        [5, true],
        [5, false],
        [5, false],
      ]);
      await call('remove', one(inTime[0]), own);
      expect(await ids('order=created_at')).toEqual(inTime.slice(1));
    });

    test.each(['limit=0', 'limit=101', 'page=0', 'page=101', 'order=nothing'])('refuses %s', async (query) => {
      const reply = await call('list', { query });
      expect([reply.status, reply.body.key]).toEqual([400, 'invalid_query_params']);
    });
  });
}
