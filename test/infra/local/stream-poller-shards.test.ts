import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, test } from 'vitest';
import type { Page, Position, RecordStream, Shard } from '../../../infra/local/table-stream.ts';
import type { StreamRecord } from '../../../lib/table/stream.ts';
import { partitionKeyOf, polling } from '../../support/polled.ts';

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
    const { seen } = await polling({
      stream,
      process: async (batch) => {
        if (batch.some((record) => partitionKeyOf(record) === '3')) stream.shardList.push({ id: 's3', parentId: 's2' });
      },
    });
    expect((await seen(4)).map(partitionKeyOf)).toEqual(['1', '2', '3', '4']);
    expect(stream.positions.map(([shard]) => shard)).toEqual(['s1', 's2', 's3']);
  });

  test('is idle when those that follow on ended ones are read too', async () => {
    const stream = new ScriptedStream();
    stream.pages.set('s1', [['1'], 'end']).set('s2', [['2'], ['3']]);
    stream.shardList.push({ id: 's2', parentId: 's1' });
    const { poller, records } = await polling({ stream });
    await poller.idle();
    expect(records().map(partitionKeyOf)).toEqual(['1', '2', '3']);
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
    const { seen, lines } = await polling({ stream });
    expect((await seen(3)).map(partitionKeyOf)).toEqual(['1', '2', '3']);
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
    const { seen, lines } = await polling({ stream, pollEveryMs: 1 });
    expect((await seen(3)).map(partitionKeyOf)).toEqual(['1', '2', '3']);
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
  const { poller } = await polling({
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
