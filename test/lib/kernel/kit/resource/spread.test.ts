import * as v from 'valibot';
import { expect, test } from 'vitest';
import { findProject } from '#kernel/access/projects/project.ts';
import { integer } from '#kernel/core/schema.ts';
import { createResource, listResources, removeResource, updateResource } from '#kernel/kit/resource/operations.ts';
import { required, resource } from '#kernel/kit/resource/resource.ts';
import { resourceKey } from '#kernel/kit/resource/shape.ts';
import { Table } from '#kernel/table/table.ts';
import { patienceOfCrowd, standingClock, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { loadProject } from '../../../../support/project.ts';

/** A list on more partitions keeps the rows from when it had one partition. */

const traits = {
  prefix: 'dro',
  number: 'many',
  fields: { size: required(integer, 'In millimetres.') },
  orders: ['created_at', 'updated_at'],
  filters: { size: 'number' },
  fileKey: 'drops',
} as const;
const before = resource('drop', traits);
const after = resource('drop', { ...traits, spread: 8 });

const page = v.object({
  data: v.array(v.object({ id: v.string(), size: v.number() })),
  total: v.number(),
  has_more: v.boolean(),
});

async function world() {
  const { id } = await loadProject();
  const { dynamodb, tableName } = testDependencies();
  const clock = standingClock();
  const project = await findProject(new Table(dynamodb, tableName, testTime), id);
  if (!project) throw new Error('the project does not exist');
  const at = () => {
    clock.advance(1);
    const now = clock();
    const caller = { project, appId: 'app', appName: 'Till' };
    return {
      table: new Table(dynamodb, tableName, now, patienceOfCrowd),
      now,
      project,
      caller,
      baseUrl: 'https://api.example',
    };
  };
  const listed = async (query: object) =>
    v.parse(page, await listResources(at(), after, { limit: 100, page: 1, ...query }));
  const sizes = async (query: object) => (await listed(query)).data.map(({ size }) => size);
  return { at, listed, sizes };
}

/** Old and new rows alternate, as during an upgrade. */
const all = Array.from({ length: 24 }, (_, size) => ({ size, by: size < 12 || size % 3 === 0 ? before : after }));

test('rows of one partition and rows of eight are one list, by pages and by cursors, also at the seam', async () => {
  const { at, listed, sizes } = await world();
  for (const { size, by } of all) await createResource(at(), by, { size });
  const ordered = all.map(({ size }) => size);
  expect(await sizes({ order: 'created_at' })).toEqual(ordered);
  expect(await sizes({})).toEqual(ordered.toReversed());
  const pages = [1, 2, 3, 4, 5].map((number) => sizes({ order: 'created_at', limit: 5, page: number }));
  expect((await Promise.all(pages)).flat()).toEqual(ordered);
  const walked: number[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await listed({ limit: 5, ...(cursor ? { starting_after_id: cursor } : {}) });
    walked.push(...data.map(({ size }) => size));
    cursor = data.at(-1)?.id;
  } while (cursor);
  expect(walked).toEqual(ordered.toReversed());
});

test('an old row that changes moves once, and a removed one leaves no trace', async () => {
  const { at, sizes } = await world();
  const [one, two, three] = [
    await createResource(at(), before, { size: 1 }),
    await createResource(at(), before, { size: 2 }),
    await createResource(at(), after, { size: 3 }),
  ];
  await updateResource(at(), after, one.id, { size: 10 });
  await updateResource(at(), after, one.id, { size: 11 });
  expect(await sizes({ order: 'updated_at' })).toEqual([2, 3, 11]);
  expect(await sizes({ order: 'created_at' })).toEqual([11, 2, 3]);
  await removeResource(at(), after, two.id);
  expect(await sizes({ order: 'created_at' })).toEqual([11, 3]);
  const { table, project } = at();
  const [item] = await table.getMany([resourceKey(after, project.id, { id: three.id })]);
  expect(item?.gsi1pk).toMatch(/#DROP_BY_CREATED_AT#[0-7]$/);
});
