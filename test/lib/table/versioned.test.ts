import { expect, test } from 'vitest';
import { rewards } from '../../../lib/loyalty/reward.ts';
import type { Attributes } from '../../../lib/table/item.ts';
import { Table } from '../../../lib/table/table.ts';
import { Update } from '../../../lib/table/update.ts';
import { newVersion, Versioned, versionWrite } from '../../../lib/table/versioned.ts';
import { testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';

const { dynamodb, tableName } = testDependencies();
/** A page of 40 KB costs 10 read units, its version 1. */
const long = 'x'.repeat(40_000);
const table = () => new Table(dynamodb, tableName, testTime);
const keyOfPage = () => rewards(uniqueId('proj_'), 'page');
type Key = ReturnType<typeof keyOfPage>;

async function write(key: Key, text: string, version = newVersion()) {
  const change = new Update().set(['text'], text).set(['long'], long).set(['version'], version).build();
  await table().transact([{ key, change }, versionWrite(key, version)]);
}

const writeAlone = (key: Key, attributes: Attributes) =>
  table().change(
    key,
    Object.entries(attributes)
      .reduce((update, [name, value]) => update.set([name], value), new Update())
      .build(),
  );

/** One container: the texts that it reads, and what that costs. */
function container(maxKept?: number) {
  const pages = new Versioned(({ text }) => text, maxKept);
  return async (...wanted: Key[]) => {
    const request = table();
    const { found } = await pages.read(request, wanted);
    return { found, units: request.meter.readUnits };
  };
}

test('an item costs a read unit once the container has it, whatever its size', async () => {
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
  'a read that meets a transaction halfway, %s, keeps nothing for later ones',
  async (order) => {
    const key = keyOfPage();
    await write(key, 'one');
    const read = container();
    await read(key);
    const version = newVersion();
    const parts = [
      () => table().transact([versionWrite(key, version)]),
      () => writeAlone(key, { text: 'two', version }),
    ] as const;
    const [first, second] = order.startsWith('the version') ? parts : [parts[1], parts[0]];
    await first();
    await read(key);
    await second();
    expect((await read(key)).found).toEqual(['two']);
  },
);

test('what has no version is read each time, and what is gone is gone', async () => {
  const key = keyOfPage();
  await writeAlone(key, { text: 'one', long });
  const read = container();
  await read(key);
  expect((await read(key)).units).toBe(10);
  await write(key, 'two');
  await read(key);
  const there = { condition: 'attribute_exists(pk)', names: {}, values: {} };
  await table().transact([
    { key, remove: there },
    { key: { ...key, sk: 'VERSION' }, remove: there },
  ]);
  expect((await read(key)).found).toEqual([undefined]);
});

test('a container keeps no more than it may: what it read first goes first', async () => {
  const [first, second] = [keyOfPage(), keyOfPage()];
  await Promise.all([write(first, 'a'.repeat(60)), write(second, 'b'.repeat(60))]);
  const read = container(100);
  await read(first, second);
  expect((await read(second)).units).toBe(1);
  expect((await read(first)).units).toBe(10);
});
