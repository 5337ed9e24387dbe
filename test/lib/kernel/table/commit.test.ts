import { describe, expect, test } from 'vitest';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';
import { startFaultProxy } from '../../../support/fault-proxy.ts';
import { faults } from '../../../support/faults.ts';
import { tableOfFile } from '../../../support/listed.ts';
import { anything, newKey } from './any-item.ts';

const table = tableOfFile();

describe('a commit', () => {
  test('costs one write unit for one insert, and is done once though its reply was lost and others came between', async () => {
    const proxy = await startFaultProxy();
    try {
      const lossy = new Table(proxy.client, testDependencies().tableName, testTime);
      for (const fault of [
        'is carried out, and its reply is lost',
        'is carried out, and its reply is cut off',
      ] as const) {
        const key = newKey();
        const item = { name: 'x', list: [{ n: 1, gone: undefined }], metadata: { constructor: 'a' } };
        proxy.run(({ number }) => (number === 1 ? faults[fault] : undefined));
        expect(await lossy.commit([{ key, insert: item }])).toEqual({ done: true });
        expect(await lossy.commit([{ key, insert: item }])).toMatchObject({ done: false, refused: [{ failed: true }] });
      }
      const taken = newKey();
      await table.insert(taken, { name: 'theirs' });
      proxy.run(({ number }) => (number === 1 ? faults['does not arrive'] : undefined));
      expect(await lossy.commit([{ key: taken, insert: { name: 'ours' } }])).toMatchObject({
        done: false,
        refused: [{ failed: true, item: { name: 'theirs' } }],
      });
    } finally {
      await proxy.close();
    }
    const own = tableOfFile();
    await own.commit([{ key: newKey(), insert: { n: 1 } }]);
    expect(own.meter).toEqual({ calls: 1, readUnits: 0, writeUnits: 1 });
  });

  test('is written together with its companion, or neither is; a refused companion has an error of its own', async () => {
    const [key, companion] = [newKey(), newKey()];
    const own = tableOfFile();
    const refusal = (item: unknown) => new Error(`taken: ${JSON.stringify(item)}`);
    own.commitWith({ write: { key: companion, insert: { n: 1 } }, refusal });
    expect(await own.commit([{ key, insert: { n: 2 } }])).toEqual({ done: true });
    expect((await table.getMany([key, companion])).map((item) => item?.n)).toEqual([2, 1]);

    const next = newKey();
    await expect(own.commit([{ key: next, insert: { n: 3 } }])).rejects.toThrow(/^taken: .*"n":1/);
    await expect(own.commit([{ key, insert: { n: 3 } }])).rejects.toThrow('taken');
    expect(await table.get(next, anything)).toBeUndefined();
    // The change next to it must not matter.
    expect(await own.transact([{ key: next, insert: { n: 3 } }])).toEqual({ done: true });
  });

  test('reports only its own refused parts, and leaves the companion', async () => {
    const [key, companion] = [newKey(), newKey()];
    await table.insert(key, { n: 7 });
    const own = tableOfFile();
    own.commitWith({ write: { key: companion, insert: { n: 1 } }, refusal: () => new Error('taken') });
    expect(await own.commit([{ key, insert: { n: 2 } }])).toEqual({
      done: false,
      refused: [{ failed: true, item: expect.objectContaining({ n: 7 }) }],
    });
    expect(await table.get(companion, anything)).toBeUndefined();
  });
});
