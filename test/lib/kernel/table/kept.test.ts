import * as v from 'valibot';
import { expect, test } from 'vitest';
import { commit, insert, remove } from '#kernel/table/effects.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import { childKind } from '#kernel/table/kind.ts';
import { readChildren } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { newClient, patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const stored = v.object({ name: v.string() });
/** A family of kinds that only this file uses, in separate projects. */
const shells = childKind<typeof stored, []>({ kind: 'SHELLS' }, 'SHELL', stored, { family: 'earning' });
const { tableName } = testDependencies();

/** Makes one container. Each call is a request, and returns what it found and how often it read more than the version. */
function container() {
  const client = newClient();
  const values = new Kept<readonly { name: string }[]>();
  return async (projectId: string, { meanwhile = async () => {} } = {}) => {
    const table = new Table(client, tableName, testTime, patienceOfCrowd);
    const kept = readFamily({ table, project: { id: projectId } }, 'earning');
    let loads = 0;
    const found = await values.get(kept, 'all', async () => {
      loads += 1;
      const all = await readChildren(table, shells, projectId);
      await meanwhile();
      return all;
    });
    return { names: found.map(({ name }) => name).join(), loads };
  };
}

const table = () => new Table(newClient(), tableName, testTime, patienceOfCrowd);
const put = (projectId: string, name: string) => commit(table(), [insert(shells(projectId, name), { name })]);

test('a container reads a cached item twice, and then only its version', async () => {
  const projectId = uniqueId('proj_');
  await put(projectId, 'a');
  const read = container();
  const loads = [];
  for (let turn = 0; turn < 4; turn++) loads.push((await read(projectId)).loads);
  expect(loads).toEqual([1, 1, 0, 0]);
});

test('every write of the family shows in the next request of every container, including the first and the last one', async () => {
  const projectId = uniqueId('proj_');
  const [one, other] = [container(), container()];
  const both = async () => {
    for (let turn = 0; turn < 2; turn++) await Promise.all([one(projectId), other(projectId)]);
    return [(await one(projectId)).names, (await other(projectId)).names];
  };
  expect(await both()).toEqual(['', '']);
  await put(projectId, 'a');
  expect([(await one(projectId)).names, (await other(projectId)).names]).toEqual(['a', 'a']);
  expect(await both()).toEqual(['a', 'a']);
  await put(projectId, 'b');
  expect((await one(projectId)).names).toBe('a,b');
  await commit(table(), [remove(shells(projectId, 'a'), (update) => update)]);
  expect([(await one(projectId)).names, (await other(projectId)).names]).toEqual(['b', 'b']);
});

test('an item that others change during a read is not cached', async () => {
  const projectId = uniqueId('proj_');
  const read = container();
  await put(projectId, 'a');
  await read(projectId);
  await read(projectId, { meanwhile: async () => void (await put(projectId, 'b')) });
  expect((await read(projectId)).names).toBe('a,b');
});
