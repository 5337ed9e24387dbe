import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { BatchWriteCommand, DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createTable } from '../../../infra/local/create-table.ts';
import { type StreamPoller, startStreamPoller } from '../../../infra/local/stream-poller.ts';
import type { Page, Position, RecordStream, Shard } from '../../../infra/local/table-stream.ts';
import { dynamodbClient } from '../../../lib/composition.ts';
import { type FilterPattern, processRecords, type StreamRecord } from '../../../lib/outbox/worker.ts';
import { testDependencies, uniqueId } from '../../support/dependencies.ts';

const client = dynamodbClient(inject('endpoint'));
const { dynamodb } = testDependencies();
const tables: string[] = [];
const running: StreamPoller[] = [];
let tableName: string;

const filters: readonly FilterPattern[] = [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'JOB' }] } } } }];

const put = (item: Record<string, unknown>) => dynamodb.send(new PutCommand({ TableName: tableName, Item: item }));
const nothingFailed = { batchItemFailures: [] };

/** Polls, and keeps what it delivers. */
async function start(options: Partial<Parameters<typeof startStreamPoller>[0]> = {}) {
  const dependencies = testDependencies({ tableName });
  const batches: StreamRecord[][] = [];
  const poller = await startStreamPoller({
    dependencies,
    filters,
    ...options,
    process: async (records, given) => {
      batches.push([...records]);
      return options.process?.(records, given) ?? nothingFailed;
    },
  });
  running.push(poller);
  return { poller, batches, lines: dependencies.lines, records: () => batches.flat() };
}

const sequenceNumberOf = ({ dynamodb }: StreamRecord) => dynamodb?.SequenceNumber ?? '';
const keyOf = ({ dynamodb }: StreamRecord) => dynamodb?.Keys?.pk?.S;

beforeEach(async () => {
  tableName = uniqueId('tessera-stream-');
  await createTable(client, tableName);
  tables.push(tableName);
});

afterEach(() => Promise.all(running.splice(0).map((poller) => poller.stop())));

afterAll(async () => {
  for (const TableName of tables) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
});

describe('on an engine, the poller', () => {
  test('delivers records as Lambda does: what was written before it started, and after', async () => {
    const item = { pk: 'a', sk: 'JOB', count: 7, bytes: new Uint8Array([1, 2]), list: ['x', { deep: true }] };
    await put(item);
    const { poller, records } = await start();
    await poller.idle();
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
    await poller.idle();
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

  test('delivers nothing that the filters keep out, however much of it there is', async () => {
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
    const { poller, records } = await start();
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['a']);
  });

  test('begins, if told so, with what is written from then on', async () => {
    await put({ pk: 'old', sk: 'JOB' });
    const { poller, records } = await start({ from: 'LATEST' });
    await put({ pk: 'new', sk: 'JOB' });
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['new']);
  });

  test('delivers records again that failed, in the order of their item', async () => {
    for (const count of [1, 2, 3]) await put({ pk: 'a', sk: 'JOB', count });
    await put({ pk: 'b', sk: 'JOB', count: 1 });
    const failures = new Map<string, number>();
    const { poller, records } = await start({
      process: async (batch) => ({
        batchItemFailures: batch.flatMap((record) => {
          const id = sequenceNumberOf(record);
          const times = failures.get(id) ?? 0;
          failures.set(id, times + 1);
          return record.dynamodb?.NewImage?.count?.N === '2' && times < 3 ? [{ itemIdentifier: id }] : [];
        }),
      }),
    });
    await poller.idle();
    const counts = (pk: string) =>
      records()
        .filter((record) => keyOf(record) === pk)
        .map(({ dynamodb: change }) => change?.NewImage?.count?.N)
        .join('');
    expect([counts('a'), counts('b')]).toEqual(['123232323', '1']);
  });

  test('is idle only when what the worker has written is processed as well', async () => {
    const { poller, records } = await start({
      process: async (batch) => {
        for (const { dynamodb: change } of batch) {
          const depth = Number(change?.NewImage?.depth?.N);
          if (depth > 0) await put({ pk: `${depth - 1}`, sk: 'JOB', depth: depth - 1 });
        }
        return nothingFailed;
      },
    });
    await put({ pk: '5', sk: 'JOB', depth: 5 });
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['5', '4', '3', '2', '1', '0']);
  });

  test('feeds the worker itself', async () => {
    await put({ pk: 'a', sk: 'VOUCHER' });
    const poller = await startStreamPoller({ dependencies: testDependencies({ tableName }), process: processRecords });
    running.push(poller);
    await poller.idle();
  });

  test('does not start on a table that is not there', async () => {
    tableName = 'no-such-table';
    await expect(start()).rejects.toThrow(/no-such-table|non-existent|not found/i);
  });

  test('delivers nothing after stop, and keeps no process alive', async () => {
    const { poller, batches } = await start();
    await poller.stop();
    await poller.stop();
    await put({ pk: 'a', sk: 'JOB' });
    await expect(poller.idle()).rejects.toThrow('stopped');
    expect(batches).toEqual([]);

    const script = `
      import { startStreamPoller } from './infra/local/stream-poller.ts';
      import { compose } from './lib/composition.ts';
      let seen = 0;
      const dependencies = compose(process.env);
      const poller = await startStreamPoller({
        dependencies,
        filters: [{}],
        process: async (records) => ({ batchItemFailures: records.slice((seen += records.length)) }),
      });
      await poller.idle();
      await poller.stop();
      dependencies.dynamodb.destroy();
      console.log(seen, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: inject('endpoint') },
      timeout: 20_000,
    });
    expect(stdout).toBe('1 0\n');
  });
});

/** A stream of which the test decides all: pages by shard, each of which may be an error. */
class ScriptedStream implements RecordStream {
  shardList: Shard[] = [{ id: 's1', parentId: undefined }];
  readonly pages = new Map<string, (string[] | Error | 'end')[]>();
  readonly positions: [string, Position][] = [];
  reads = 0;
  closed = false;
  /** Holds the reply back. */
  reply: (read: number) => Promise<void> = async () => {};

  async shards() {
    return this.shardList;
  }

  async iteratorAt(shardId: string, position: Position) {
    this.positions.push([shardId, position]);
    return shardId;
  }

  async read(iterator: string): Promise<Page> {
    this.reads += 1;
    const page = this.pages.get(iterator)?.shift() ?? [];
    await this.reply(this.reads);
    if (page instanceof Error) throw page;
    if (page === 'end') return { records: [], next: undefined };
    const records = page.map(
      (id): StreamRecord => ({
        eventName: 'INSERT',
        dynamodb: { Keys: { pk: { S: id }, sk: { S: 'JOB' } }, SequenceNumber: id },
      }),
    );
    return { records, next: iterator };
  }

  close() {
    this.closed = true;
  }
}

describe('on a stream of several shards', () => {
  test('one that follows on another is read after its end, however late it shows', async () => {
    const stream = new ScriptedStream();
    stream.pages
      .set('s1', [['1'], ['2'], 'end'])
      .set('s2', [['3'], 'end'])
      .set('s3', [['4']]);
    // The follower stands first in the list, and the parent of the first is long gone.
    stream.shardList = [
      { id: 's2', parentId: 's1' },
      { id: 's1', parentId: 's0' },
    ];
    const { poller, records } = await start({
      stream,
      process: async (batch) => {
        if (batch.some((record) => keyOf(record) === '3')) stream.shardList.push({ id: 's3', parentId: 's2' });
        return nothingFailed;
      },
    });
    await expect.poll(() => records().map(keyOf)).toEqual(['1', '2', '3', '4']);
    await poller.idle();
    expect(stream.positions.map(([shard]) => shard)).toEqual(['s1', 's2', 's3']);
  });
});

test('a read that began before the worker was done does not make it idle', async () => {
  const stream = new ScriptedStream();
  const pages: string[][] = [['1']];
  stream.pages.set('s1', pages);
  const secondRead = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  stream.reply = async (read) => {
    if (read !== 2) return;
    secondRead.resolve();
    await written.promise;
    await new Promise(setImmediate);
  };
  const { poller, records } = await start({
    stream,
    process: async ([record]) => {
      if (record && keyOf(record) === '1') {
        await secondRead.promise;
        pages.push(['2']);
        written.resolve();
      }
      return nothingFailed;
    },
  });
  await poller.idle();
  expect(records().map(keyOf)).toEqual(['1', '2']);
});

describe('when the stream cannot be read', () => {
  const options = { message: '', $metadata: {} };

  test.each([
    ['an iterator that has expired', new ExpiredIteratorException(options), { after: '2' }],
    ['records that are gone', new TrimmedDataAccessException(options), 'TRIM_HORIZON'],
  ])('for %s, a new iterator goes on, without a word', async (_, error, position) => {
    const stream = new ScriptedStream();
    stream.pages.set('s1', [['1', '2'], error, ['3']]);
    const { poller, records, lines } = await start({ stream });
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['1', '2', '3']);
    expect(stream.positions).toEqual([
      ['s1', 'TRIM_HORIZON'],
      ['s1', position],
    ]);
    expect(lines).toEqual([]);
  });

  test('it says so once, and tries until it can', async () => {
    const stream = new ScriptedStream();
    const away = new Error('connect ECONNREFUSED');
    stream.pages.set('s1', [['1'], away, away, away, ['2'], away, ['3']]);
    const { poller, records, lines } = await start({ stream, pollEveryMs: 1 });
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['1', '2', '3']);
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [0, 1].map(() => expect.objectContaining({ level: 'error', cause_message: 'connect ECONNREFUSED' })),
    );
  });
});

test('a stop lets the batch under way end, refuses those who wait for idleness, and closes the stream', async () => {
  const stream = new ScriptedStream();
  stream.pages.set('s1', [['1']]);
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<typeof nothingFailed>();
  const { poller } = await start({
    stream,
    process: () => {
      begun.resolve();
      return answer.promise;
    },
  });
  await begun.promise;
  const idle = poller.idle();
  let stopped = false;
  const stopping = poller.stop().then(() => {
    stopped = true;
  });
  await new Promise(setImmediate);
  expect([stopped, stream.closed]).toEqual([false, true]);
  answer.resolve(nothingFailed);
  await expect(idle).rejects.toThrow('stopped');
  await stopping;
  const { reads } = stream;
  await new Promise(setImmediate);
  expect(stream.reads).toBe(reads);
});
