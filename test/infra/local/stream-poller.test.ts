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
import type { FilterPattern, StreamReader, StreamRecord } from '../../../lib/table/stream.ts';
import { engineClient, testDependencies, uniqueId } from '../../support/dependencies.ts';

const client = engineClient();
const { dynamodb } = testDependencies();
const tables: string[] = [];
const running: StreamPoller[] = [];
let tableName: string;

const filters: readonly FilterPattern[] = [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'JOB' }] } } } }];

const put = (item: Record<string, unknown>) => dynamodb.send(new PutCommand({ TableName: tableName, Item: item }));

/** Polls, and keeps what it delivers. */
async function start({
  process = async () => {},
  ...options
}: Partial<Parameters<typeof startStreamPoller>[0] & Pick<StreamReader, 'process'>> = {}) {
  const dependencies = testDependencies({ tableName });
  const batches: StreamRecord[][] = [];
  let look = () => {};
  const poller = await startStreamPoller({
    dependencies,
    ...options,
    readers: [
      {
        filters,
        process: async (records, shardId) => {
          batches.push([...records]);
          look();
          await process(records, shardId);
        },
      },
    ],
  });
  running.push(poller);
  const records = () => batches.flat();
  /** Once as many records were delivered. */
  const seen = (count: number) =>
    new Promise<StreamRecord[]>((resolve) => {
      look = () => records().length >= count && resolve(records());
      look();
    });
  return { poller, batches, lines: dependencies.lines, records, seen };
}

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
    const { records, seen } = await start();
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
    const { seen } = await start();
    expect((await seen(1)).map(keyOf)).toEqual(['a']);
  });

  test('begins, if told so, with what is written from then on', async () => {
    await put({ pk: 'old', sk: 'JOB' });
    const { seen } = await start({ from: 'LATEST' });
    await put({ pk: 'new', sk: 'JOB' });
    expect((await seen(1)).map(keyOf)).toEqual(['new']);
  });

  test('delivers records again that were not taken, and goes no further before they are', async () => {
    for (const count of [1, 2, 3]) await put({ pk: 'a', sk: 'JOB', count });
    let failures = 0;
    const { batches, seen } = await start({
      pollEveryMs: 1,
      process: async () => {
        if (failures++ < 3) throw new Error('the queue is away');
      },
    });
    await seen(12);
    const counts = batches.map((batch) => batch.map(({ dynamodb: change }) => change?.NewImage?.count?.N).join(''));
    expect(counts).toEqual(['123', '123', '123', '123']);
  });

  test('is idle once all that was written before is processed', async () => {
    const { poller, records } = await start({ pollEveryMs: 60_000 });
    for (const pk of ['a', 'b', 'c']) await put({ pk, sk: 'JOB' });
    await poller.idle();
    expect(records()).toHaveLength(3);
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
    expect(batches).toEqual([]);

    const script = `
      import { startStreamPoller } from './infra/local/stream-poller.ts';
      import { compose } from './lib/http/composition.ts';
      let seen = 0;
      const first = Promise.withResolvers();
      const dependencies = compose(process.env);
      const poller = await startStreamPoller({
        dependencies,
        readers: [{
          filters: [{}],
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
      // A process that is kept alive would be waited for.
      timeout: 200_000,
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
    const { seen } = await start({
      stream,
      process: async (batch) => {
        if (batch.some((record) => keyOf(record) === '3')) stream.shardList.push({ id: 's3', parentId: 's2' });
      },
    });
    expect((await seen(4)).map(keyOf)).toEqual(['1', '2', '3', '4']);
    expect(stream.positions.map(([shard]) => shard)).toEqual(['s1', 's2', 's3']);
  });

  test('is idle when those that follow on ended ones are read too', async () => {
    const stream = new ScriptedStream();
    stream.pages.set('s1', [['1'], 'end']).set('s2', [['2'], ['3']]);
    stream.shardList.push({ id: 's2', parentId: 's1' });
    const { poller, records } = await start({ stream });
    await poller.idle();
    expect(records().map(keyOf)).toEqual(['1', '2', '3']);
  });
});

describe('when the stream cannot be read', () => {
  const options = { message: '', $metadata: {} };

  test.each([
    ['an iterator that has expired', new ExpiredIteratorException(options), { after: '2' }],
    ['records that are gone', new TrimmedDataAccessException(options), 'TRIM_HORIZON'],
  ])('for %s, a new iterator goes on, without a word', async (_, error, position) => {
    const stream = new ScriptedStream();
    stream.pages.set('s1', [['1', '2'], error, ['3']]);
    const { seen, lines } = await start({ stream });
    expect((await seen(3)).map(keyOf)).toEqual(['1', '2', '3']);
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
    const { seen, lines } = await start({ stream, pollEveryMs: 1 });
    expect((await seen(3)).map(keyOf)).toEqual(['1', '2', '3']);
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [0, 1].map(() => expect.objectContaining({ level: 'error', cause_message: 'connect ECONNREFUSED' })),
    );
  });
});

test('a stop lets the call under way end, and closes the stream', async () => {
  const stream = new ScriptedStream();
  stream.pages.set('s1', [['1']]);
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const { poller } = await start({
    stream,
    process: () => {
      begun.resolve();
      return answer.promise;
    },
  });
  await begun.promise;
  let stopped = false;
  const stopping = poller.stop().then(() => {
    stopped = true;
  });
  await new Promise(setImmediate);
  expect([stopped, stream.closed]).toEqual([false, true]);
  answer.resolve();
  await stopping;
  const { reads } = stream;
  await new Promise(setImmediate);
  expect(stream.reads).toBe(reads);
});
