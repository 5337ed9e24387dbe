import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { findProject } from '#kernel/access/projects/project.ts';
import { integer, text } from '#kernel/core/schema.ts';
import {
  createResource,
  getResource,
  listResources,
  removeResource,
  updateResource,
} from '#kernel/kit/resource/operations.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { type RootResource, resourceKey } from '#kernel/kit/resource/shape.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { patienceOfCrowd, standingClock, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { loadProject } from '../../../../support/project.ts';

const fields = {
  name: required(text, 'The name that people use.'),
  size: required(integer, 'In millimetres.'),
  colour: optional(text, 'The colour on the beach.'),
};

const few = resource('pebble', {
  prefix: 'peb',
  number: 'few',
  fields,
  unique: ['name'],
  orders: ['created_at', 'size'],
  fileKey: 'pebbles',
});
const many = resource('grain', {
  prefix: 'gra',
  number: 'many',
  fields,
  unique: ['name'],
  orders: ['created_at', 'size'],
  fileKey: 'grains',
});

async function world() {
  const { id } = await loadProject();
  const { dynamodb, tableName } = testDependencies();
  const clock = standingClock();
  const context = () => ({ table: new Table(dynamodb, tableName, clock(), patienceOfCrowd), now: clock() });
  const project = await findProject(new Table(dynamodb, tableName, testTime), id);
  if (!project) throw new Error('the project does not exist');
  const caller = { project, appId: 'app', appName: 'Till' };
  return () => {
    clock.advance(1);
    return { ...context(), project, caller, baseUrl: 'https://api.example' };
  };
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ key }) => key,
  );

describe.each<[string, RootResource]>([
  ['few of', few],
  ['many of', many],
])('a plain resource that a project has %s', (_, described) => {
  test('is created, read, changed and removed', async () => {
    const at = await world();
    const made = await createResource(at(), described, { name: 'Egg', size: 40, colour: 'grey' });
    expect(made).toMatchObject({ name: 'Egg', size: 40, colour: 'grey', object: described.name });
    expect(made).not.toHaveProperty('updated_at');
    const id = String(made.id);
    expect(id).toMatch(new RegExp(`^${described.idPrefix}`));
    expect(await getResource(at(), described, id)).toEqual(made);
    const changed = await updateResource(at(), described, id, { size: 41, colour: null });
    expect(changed).toMatchObject({ name: 'Egg', size: 41 });
    expect(changed).not.toHaveProperty('colour');
    expect(await getResource(at(), described, id)).toEqual(changed);
    await removeResource(at(), described, id);
    expect(await refusalOf(getResource(at(), described, id))).toBe('not_found');
    expect(await refusalOf(updateResource(at(), described, id, { size: 1 }))).toBe('not_found');
    expect(await refusalOf(removeResource(at(), described, id))).toBe('not_found');
  });

  test('keeps its unique name until it gives it up', async () => {
    const at = await world();
    const egg = await createResource(at(), described, { name: 'Egg', size: 1 });
    expect(await refusalOf(createResource(at(), described, { name: 'Egg', size: 2 }))).toBe('duplicate_found');
    const flat = await createResource(at(), described, { name: 'Flat', size: 3 });
    expect(await refusalOf(updateResource(at(), described, String(flat.id), { name: 'Egg' }))).toBe('duplicate_found');
    await updateResource(at(), described, String(egg.id), { name: 'Round' });
    await updateResource(at(), described, String(flat.id), { name: 'Egg' });
    await removeResource(at(), described, String(flat.id));
    expect(await createResource(at(), described, { name: 'Egg', size: 9 })).toMatchObject({ size: 9 });
  });

  test('is created once by twenty callers who want one name at once, and leaves no rest of the others', async () => {
    const at = await world();
    const attempts = Array.from({ length: 20 }, (_, size) => createResource(at(), described, { name: 'Egg', size }));
    const made = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
  });

  test('is listed newest first, by any of its orders, page by page', async () => {
    const at = await world();
    for (const [name, size] of [
      ['A', 3],
      ['B', 1],
      ['C', 2],
    ] as const) {
      await createResource(at(), described, { name, size });
    }
    const names = async (query: object) => {
      const { data, total, has_more } = v.parse(
        v.object({ data: v.array(v.looseObject({ name: v.string() })), total: v.number(), has_more: v.boolean() }),
        await listResources(at(), described, { limit: 10, page: 1, ...query }),
      );
      return [data.map(({ name }) => name).join(''), total, has_more];
    };
    expect(await names({})).toEqual(['CBA', 3, false]);
    expect(await names({ order: 'created_at' })).toEqual(['ABC', 3, false]);
    expect(await names({ order: 'size' })).toEqual(['BCA', 3, false]);
    expect(await names({ order: '-size', limit: 2 })).toEqual(['AC', 3, true]);
    expect(await names({ order: '-size', limit: 2, page: 2 })).toEqual(['B', 3, false]);
    expect(await names({ page: 9 })).toEqual(['', 3, false]);
  });

  test('is invisible to another project', async () => {
    const [mine, theirs] = [await world(), await world()];
    const { id } = await createResource(theirs(), described, { name: 'Egg', size: 1 });
    expect(await refusalOf(getResource(mine(), described, String(id)))).toBe('not_found');
    expect(await createResource(mine(), described, { name: 'Egg', size: 2 })).toMatchObject({ size: 2 });
    const { project } = mine();
    expect(
      (await read(mine().table, { item: resourceKey(described, project.id, { id: String(id) }) })).item,
    ).toBeUndefined();
  });
});

test('bodies report missing fields, and say which may be cleared', () => {
  expect(v.is(few.createBody, { name: 'Egg', size: 1 })).toBe(true);
  expect(v.is(few.createBody, { name: 'Egg' })).toBe(false);
  expect(v.is(few.updateBody, {})).toBe(true);
  expect(v.is(few.updateBody, { colour: null })).toBe(true);
  expect(v.is(few.updateBody, { size: null })).toBe(false);
  expect(v.is(few.updateBody, [])).toBe(false);
});
