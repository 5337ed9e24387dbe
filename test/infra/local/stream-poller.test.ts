import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import { startStreamPoller } from '../../../infra/local/stream-poller.ts';
import { engineClient, testDependencies, uniqueId } from '../../support/dependencies.ts';
import { partitionKeyOf, polling } from '../../support/polled.ts';

const client = engineClient();
const { dynamodb } = testDependencies();
const tables: string[] = [];
let tableName: string;

const put = (item: Record<string, unknown>) => dynamodb.send(new PutCommand({ TableName: tableName, Item: item }));

beforeEach(async () => {
  tableName = uniqueId('tessera-stream-');
  await createTable(client, tableName);
  tables.push(tableName);
});

afterAll(async () => {
  for (const TableName of tables) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
});

describe('on an engine, the poller', () => {
  test('delivers records as Lambda does, from before and after its start', async () => {
    const item = { pk: 'a', sk: 'JOB', count: 7, bytes: new Uint8Array([1, 2]), list: ['x', { deep: true }] };
    await put(item);
    const { records, seen } = await polling({ tableName });
    await seen(1);
    const image = {
      pk: { S: 'a' },
      sk: { S: 'JOB' },
      count: { N: '7' },
      bytes: { B: 'AQI=' },
      list: { L: [{ S: 'x' }, { M: { deep: { BOOL: true } } }] },
    };
    const Keys = { pk: { S: 'a' }, sk: { S: 'JOB' } };
    const common = { eventSource: 'aws:dynamodb', eventID: expect.any(String) };
    const dynamodbPart = {
      Keys,
      SequenceNumber: expect.stringMatching(/^\d+$/),
      ApproximateCreationDateTime: expect.any(Number),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    };
    expect(records()).toEqual([
      expect.objectContaining({
        ...common,
        eventName: 'INSERT',
        dynamodb: expect.objectContaining({ ...dynamodbPart, NewImage: image }),
      }),
    ]);
    expect(records()[0]?.dynamodb).not.toHaveProperty('OldImage');

    await put({ ...item, count: 8 });
    await dynamodb.send(new DeleteCommand({ TableName: tableName, Key: { pk: 'a', sk: 'JOB' } }));
    await seen(3);
    const next = { ...image, count: { N: '8' } };
    expect(records().slice(1)).toEqual([
      expect.objectContaining({
        ...common,
        eventName: 'MODIFY',
        dynamodb: expect.objectContaining({ ...dynamodbPart, NewImage: next, OldImage: image }),
      }),
      expect.objectContaining({
        ...common,
        eventName: 'REMOVE',
        dynamodb: expect.objectContaining({ ...dynamodbPart, OldImage: next }),
      }),
    ]);
  });

  test('delivers nothing that the filters exclude, for any number of records', async () => {
    const items = Array.from({ length: 1_500 }, (_, index) => ({
      pk: `v${index}`,
      sk: 'VOUCHER',
      text: 'x'.repeat(200),
    }));
    while (items.length > 0) {
      const puts = items.splice(0, 25).map((Item) => ({ PutRequest: { Item } }));
      await dynamodb.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }));
    }
    await put({ pk: 'a', sk: 'JOB' });
    const { seen } = await polling({ tableName });
    expect((await seen(1)).map(partitionKeyOf)).toEqual(['a']);
  });

  test('can begin with records that are written after its start', async () => {
    await put({ pk: 'old', sk: 'JOB' });
    const { seen } = await polling({ tableName, from: 'LATEST' });
    await put({ pk: 'new', sk: 'JOB' });
    expect((await seen(1)).map(partitionKeyOf)).toEqual(['new']);
  });

  test('delivers failed records again, and continues only after they succeed', async () => {
    for (const count of [1, 2, 3]) await put({ pk: 'a', sk: 'JOB', count });
    let failures = 0;
    const { batches, seen } = await polling({
      tableName,
      pollEveryMs: 1,
      process: async () => {
        if (failures++ < 3) throw new Error('the queue does not answer');
      },
    });
    await seen(12);
    const counts = batches.map((batch) => batch.map(({ dynamodb: change }) => change?.NewImage?.count?.N).join(''));
    expect(counts).toEqual(['123', '123', '123', '123']);
  });

  test('gives a record up whose processing keeps failing, names it in the log, and goes on with the others', async () => {
    for (const pk of ['a', 'bad', 'b']) await put({ pk, sk: 'JOB' });
    const done: (string | undefined)[] = [];
    const { poller, lines } = await polling({
      tableName,
      pollEveryMs: 1,
      attempts: { together: 2, alone: 3 },
      process: async (records) => {
        const keys = records.map(partitionKeyOf);
        if (keys.includes('bad')) throw new Error('the record cannot be read');
        done.push(...keys);
      },
    });
    await put({ pk: 'later', sk: 'JOB' });
    await poller.idle();
    expect(done.toSorted()).toEqual(['a', 'b', 'later']);
    const letters = lines.map((line) => JSON.parse(line)).filter(({ part }) => part === 'dead-letters');
    const named = letters.map(({ level, item }) => ({ level, item: JSON.parse(item) }));
    expect(named).toEqual([{ level: 'error', item: { pk: { S: 'bad' }, sk: { S: 'JOB' } } }]);
  });

  test('delays no reader for another one that does not come to an end, or fails', async () => {
    const seen: Record<string, string[]> = { stuck: [], failing: [], quick: [] };
    const isStuck = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const allQuick = Promise.withResolvers<void>();
    const reader = (name: string, process: () => Promise<void>) => ({
      filters: [{ dynamodb: {} }],
      process: async (records: readonly StreamRecord[]) => {
        seen[name]?.push(...records.map((record) => partitionKeyOf(record) ?? ''));
        await process();
      },
    });
    const poller = await startStreamPoller({
      dependencies: { ...testDependencies(), tableName },
      pollEveryMs: 1,
      readers: [
        reader('stuck', () => {
          isStuck.resolve();
          return isOver.promise;
        }),
        reader('failing', async () => {
          throw new Error('the queue does not answer');
        }),
        reader('quick', async () => {
          if (seen.quick?.length === 3) allQuick.resolve();
        }),
      ],
    });
    await put({ pk: 'a', sk: 'JOB' });
    await isStuck.promise;
    for (const pk of ['b', 'c']) await put({ pk, sk: 'JOB' });
    await allQuick.promise;
    expect([seen.stuck, seen.quick]).toEqual([['a'], ['a', 'b', 'c']]);
    isOver.resolve();
    await poller.stop();
  });

  test('is idle once all earlier records are processed', async () => {
    const { poller, records } = await polling({ tableName, pollEveryMs: 60_000 });
    for (const pk of ['a', 'b', 'c']) await put({ pk, sk: 'JOB' });
    await poller.idle();
    expect(records()).toHaveLength(3);
  });

  test('does not start on a missing table', async () => {
    tableName = 'no-such-table';
    await expect(polling({ tableName })).rejects.toThrow(/no-such-table|non-existent|not found/i);
  });

  test('delivers nothing after stop, and keeps no process alive', async () => {
    const { poller, batches } = await polling({ tableName });
    await poller.stop();
    await poller.stop();
    await put({ pk: 'a', sk: 'JOB' });
    expect(batches).toEqual([]);

    const script = `
      import { startStreamPoller } from './infra/local/stream-poller.ts';
      import { compose } from './lib/kernel/http/composition.ts';
      let seen = 0;
      const first = Promise.withResolvers();
      const dependencies = compose(process.env);
      const poller = await startStreamPoller({
        dependencies,
        readers: [{
          filters: [{ dynamodb: {} }],
          process: async (records) => {
            seen += records.length;
            first.resolve();
          },
        }],
      });
      await first.promise;
      await poller.stop();
      dependencies.dynamodb.destroy();
      console.log(seen, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: inject('endpoint') },
      // The test would wait for a process that stays alive.
      timeout: 200_000,
    });
    expect(stdout).toBe('1 0\n');
  });
});
