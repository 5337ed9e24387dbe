import { describe, expect, test } from 'vitest';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { makeItemWrites } from '#addons/admin/project-file/items.ts';
import { describeResourceList } from '#addons/admin/project-file/resource-list.ts';
import { findStoredConflicts, listWriteKeys, readStored } from '#addons/admin/project-file/settle.ts';
import { Upserts } from '#addons/admin/project-file/upsert.ts';
import { toProject } from '#kernel/access/projects/project.ts';
import { integer, text } from '#kernel/core/schema.ts';
import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import type { Making } from '#kernel/kit/entries/traits.ts';
import { createResource, listResources, updateResource } from '#kernel/kit/resource/operations.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { resourceKey } from '#kernel/kit/resource/shape.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { standingClock, testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';
import { itemsOf } from '../../../../support/outbox.ts';

const traits = {
  fields: {
    name: required(text, 'The name that people use.'),
    size: required(integer, 'In millimetres.'),
    colour: optional(text, 'The colour on the beach.'),
  },
  unique: ['name'],
  orders: ['created_at', 'size'],
} as const;
const few = resource('shell', { ...traits, prefix: 'she', number: 'few', fileKey: 'shells' });
const many = resource('pearl', { ...traits, prefix: 'pea', number: 'many', fileKey: 'pearls' });

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime);

type Entry = { id: string; name: string; size: number; colour?: string | null };

test('fields that name another resource are references to its list, where they have a value', () => {
  const fields = {
    shell_id: required(text, 'The bed in which it grows.', { refers: 'shells' }),
    diver_id: optional(text, 'Who found it.', { refers: 'divers' }),
    name: optional(text, 'The name that people use.'),
  };
  const grown = resource('grown', { prefix: 'gro', number: 'few', fileKey: 'grown', fields });
  const entry = { shell_id: 'she_1', diver_id: null, name: 'A' };
  expect(describeResourceList(grown).parse(entry, 'grown[0]').entry?.references.flat()).toEqual([
    { field: 'shell_id', list: 'shells', value: 'she_1', by: ['id'] },
  ]);
});

describe.each([
  ['few of', few],
  ['many of', many],
] as const)('entries of a resource that a project has %s', (_, described) => {
  const project = () =>
    toProject({
      id: uniqueId('proj_'),
      name: 'Beach',
      features: {},
      secret: 'secret',
      created_at: testTime.toISOString(),
    });
  const entries = describeResourceList(described);
  const itemsFor = (projectId: string, all: readonly Entry[], now = '2026-07-01T00:00:00.000Z') =>
    all.flatMap((value, index) => {
      const place = `${entries.key}[${index}]`;
      const { entry } = entries.parse(value, place);
      if (!entry) throw new Error('the entry is not in the list');
      const making = { id: value.id, place, projectId, now } as Making;
      return makeItemWrites({ list: entries, entry }, making, (id) => all.some((other) => other.id === id));
    });
  const storedFaults = async (writes: readonly ItemWrite[]) => {
    const at = await readStored(table, writes.flatMap(listWriteKeys));
    return writes.flatMap((write) => findStoredConflicts(write, at));
  };
  const load = async (projectId: string, entries: readonly Entry[], now?: string) => {
    const upserts = new Upserts(table);
    for (const item of itemsFor(projectId, entries, now)) await upserts.add(item);
    await upserts.finish();
  };
  const stored = async (projectId: string) =>
    (await itemsOf(projectId, '')).toSorted((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
  const context = (owner: ReturnType<typeof project>) => {
    const clock = standingClock();
    const now = clock();
    return {
      table,
      project: owner,
      now,
      baseUrl: 'https://api.example',
      caller: { project: owner, appId: 'a', appName: 'Till' },
    };
  };
  const listed = async (owner: ReturnType<typeof project>, order: string) => {
    const page = await listResources(context(owner), described, { limit: 100, page: 1, order });
    return (page.data as Entry[]).map(({ name, size }) => `${name}${size}`);
  };
  const pair = (first: string, second: string) => [
    { id: 'x_1', name: first, size: 2 },
    { id: 'x_2', name: second, size: 1, colour: 'grey' },
  ];

  test('are in its lists as if requests had created them, and change nothing when they are loaded again', async () => {
    const own = project();
    await load(own.id, pair('A', 'B'));
    expect(await listed(own, 'size')).toEqual(['B1', 'A2']);
    const before = await stored(own.id);
    await load(
      own.id,
      [{ ...pair('A', 'B')[0], colour: null } as Entry, ...pair('A', 'B').slice(1)],
      '2027-01-01T00:00:00.000Z',
    );
    expect(await stored(own.id)).toEqual(before);
  });

  test('change its place and its name, in step with an update', async () => {
    const own = project();
    await load(own.id, pair('A', 'B'));
    const wanted = [{ id: 'x_1', name: 'C', size: 0 }];
    await Promise.all([load(own.id, wanted), updateResource(context(own), described, 'x_1', { size: 9 })]);
    await load(own.id, wanted);
    expect(await listed(own, 'size')).toEqual(['C0', 'B1']);
    expect(await createResource(context(own), described, { name: 'A', size: 5 })).toMatchObject({ name: 'A' });
  });

  test('may swap their names, in one call and in several', async () => {
    const own = project();
    const between = Array.from({ length: 60 }, (_, index) => ({ id: `y_${index}`, name: `Y${index}`, size: 5 }));
    const [first, second] = pair('A', 'B');
    const [other, another] = pair('B', 'A');
    await load(own.id, [first, ...between, second] as Entry[]);
    await load(own.id, [other, ...between, another] as Entry[]);
    expect((await listed(own, 'size')).slice(0, 2)).toEqual(['A1', 'B2']);
    await load(own.id, pair('A', 'B'));
    expect((await listed(own, 'size')).slice(0, 2)).toEqual(['B1', 'A2']);
    for (const name of ['A', 'B']) {
      await expect(createResource(context(own), described, { name, size: 1 })).rejects.toMatchObject({
        key: 'duplicate_found',
      });
    }
  });

  test('are refused if their name belongs to one that the file does not have', async () => {
    const own = project();
    const { id } = await createResource(context(own), described, { name: 'A', size: 7 });
    const fault = `${described.fileKey}[0].name belongs to another ${described.name} of the project`;
    expect(await storedFaults(itemsFor(own.id, pair('A', 'B')))).toEqual([fault]);
    const refused = await load(own.id, pair('A', 'B')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProjectFileError);
    expect(refused).toMatchObject({ faults: [`${fault}: another load took it in between; run again`] });
    expect((await listed(own, 'size')).filter((one) => one.startsWith('A'))).toEqual(['A7']);
    expect(await storedFaults(itemsFor(own.id, [{ id: String(id), name: 'A', size: 8 }]))).toEqual([]);
  });

  test('are changed by a later load, hundreds with long names too', async () => {
    const own = project();
    const all = (size: number) =>
      Array.from({ length: 300 }, (_, index) => ({ id: `x_${index}`, name: `${index} ${'x'.repeat(290)}`, size }));
    await load(own.id, all(1));
    await load(own.id, all(2));
    const items = (await stored(own.id)).filter(({ size }) => size === 2);
    expect(items).toHaveLength(300);
  });

  test('keep a name once if loads at once give it to several', async () => {
    const own = project();
    const ids = ['x_1', 'x_2', 'x_3', 'x_4'];
    const outcomes = await Promise.allSettled(ids.map((id, size) => load(own.id, [{ id, name: 'A', size }])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listed(own, 'size')).toEqual([expect.stringMatching(/^A\d$/)]);
  });

  test('are refused while the project deletes them', async () => {
    const own = project();
    const [entry] = pair('A', 'B') as [Entry];
    await load(own.id, [entry]);
    await table.change(resourceKey(described, own.id, entry), new Update().set(['deleted_at'], 'now').build());
    expect(await storedFaults(itemsFor(own.id, [entry]))).toEqual([
      `${described.fileKey}[0] is being deleted from the project`,
    ]);
  });
});
