import { expect, test } from 'vitest';
import { rewards } from '#engine/loyalty/reward.ts';
import { commit, remove } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { KeptItems } from '#kernel/table/kept.ts';
import { keyText } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { newVersion, versionWrites } from '#kernel/table/version-copies.ts';
import { versionRemovals } from '#kernel/table/version-effects.ts';
import { patienceOfCrowd, testDependencies, testTime, uniqueId } from '../../../support/dependencies.ts';

const { dynamodb, tableName } = testDependencies();
/** A page of 40 KB costs 10 read units, and its version costs 1. */
const long = 'x'.repeat(40_000);
const table = () => new Table(dynamodb, tableName, testTime, patienceOfCrowd);
const keyOfPage = () => rewards(uniqueId('proj_'), 'page');
type Key = ReturnType<typeof keyOfPage>;

async function write(key: Key, text: string, version = newVersion()) {
  const change = new Update().set(['text'], text).set(['long'], long).set(['version'], version).build();
  await table().transact([{ key, change }, ...versionWrites(key, version)]);
}

const writeAlone = (key: Key, attributes: Attributes) =>
  table().change(
    key,
    Object.entries(attributes)
      .reduce((update, [name, value]) => update.set([name], value), new Update())
      .build(),
  );

/** Makes one container. Returns the texts that it reads, and their cost. */
function container(options?: ConstructorParameters<typeof KeptItems>[1]) {
  const pages = new KeptItems(({ text }) => text, options);
  return async (...wanted: Key[]) => {
    const request = table();
    const found = await pages.read(request, wanted);
    return { found, units: request.meter.readUnits };
  };
}

test('an item costs one read unit once the container has it, for any size', async () => {
  const key = keyOfPage();
  await write(key, 'one');
  const read = container();
  expect(await read(key)).toEqual({ found: ['one'], units: 10 });
  expect(await read(key)).toEqual({ found: ['one'], units: 1 });
});

test('a change shows in the next read of every container', async () => {
  const key = keyOfPage();
  await write(key, 'one');
  const [first, second] = [container(), container()];
  await Promise.all([first(key), second(key)]);
  await write(key, 'two');
  expect([(await first(key)).found, (await second(key)).found]).toEqual([['two'], ['two']]);
  expect((await first(key)).units).toBe(1);
});

test.each(['the version before the item', 'the item before its version'])(
  'a read that meets a transaction halfway, %s, caches nothing for later ones',
  async (order) => {
    const key = keyOfPage();
    await write(key, 'one');
    const read = container();
    await read(key);
    const version = newVersion();
    const parts = [
      () => table().transact([...versionWrites(key, version)]),
      () => writeAlone(key, { text: 'two', version }),
    ] as const;
    const [first, second] = order.startsWith('the version') ? parts : [parts[1], parts[0]];
    await first();
    await read(key);
    await second();
    expect((await read(key)).found).toEqual(['two']);
  },
);

test('an item without a version is read each time, and a deleted one is missing', async () => {
  const key = keyOfPage();
  await writeAlone(key, { text: 'one', long });
  const read = container();
  await read(key);
  expect((await read(key)).units).toBe(10);
  await write(key, 'two');
  await read(key);
  await commit(table(), [remove(key, (update) => update), ...versionRemovals(key)]);
  expect((await read(key)).found).toEqual([undefined]);
});

test('a container caches no more than its limit: the oldest entry is removed first', async () => {
  const [first, second] = [keyOfPage(), keyOfPage()];
  await Promise.all([write(first, 'a'.repeat(60)), write(second, 'b'.repeat(60))]);
  const read = container({ maxKept: 100 });
  await read(first, second);
  expect((await read(second)).units).toBe(1);
  expect((await read(first)).units).toBe(10);
});

test("a container that knows of an item's absence reads one unit, and sees the item right after its write", async () => {
  const key = keyOfPage();
  const read = container({ keepsNothing: true });
  await read(key);
  expect((await read(key)).found).toEqual([undefined]);
  await write(key, 'one');
  expect((await read(key)).found).toEqual(['one']);
  await commit(table(), [remove(key, (update) => update), ...versionRemovals(key)]);
  expect((await read(key)).found).toEqual([undefined]);
});

test('requests of one container take turns at the copies of a version', async () => {
  const key = keyOfPage();
  await write(key, 'one');
  const pages = new KeptItems(({ text }) => text);
  await pages.read(table(), [key]);
  const asked: string[] = [];
  const seen = new Proxy(table(), {
    get: (target, name) => {
      if (name !== 'getMany') return Reflect.get(target, name, target);
      return (keys: readonly Key[]) => {
        asked.push(...keys.map(keyText));
        return target.getMany(keys);
      };
    },
  });
  for (let turn = 0; turn < 8; turn++) await pages.read(seen, [key]);
  const counts = Map.groupBy(asked, (text) => text);
  expect([...counts.values()].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
});
