import { ExpiredIteratorException, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, test } from 'vitest';
import type { StreamRecord } from '#kernel/table/stream.ts';
import type { Page, Position, RecordStream, Shard } from '../../../infra/local/table-stream.ts';
import { partitionKeyOf, polling } from '../../support/polled.ts';

/** Fakes a stream with pages by shard. Each page may be an error. */
class ScriptedStream implements RecordStream {
  shardList: Shard[] = [{ id: 's1', parentId: undefined }];
  readonly pages = new Map<string, (string[] | Error | 'end')[]>();
  readonly positions: [string, Position][] = [];
  reads = 0;
  closed = false;
  /** Delays the reply. */
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
  test('a following shard is read after the end of the one before, even if it appears late', async () => {
    const stream = new ScriptedStream();
    stream.pages
      .set('s1', [['1'], ['2'], 'end'])
      .set('s2', [['3'], 'end'])
      .set('s3', [['4']]);
    // The follower is the first of the list, and the parent of the first shard no longer exists.
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

  test('is idle when the shards after ended ones are read too', async () => {
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
    ['records that no longer exist', new TrimmedDataAccessException(options), 'TRIM_HORIZON'],
  ])('a new iterator continues silently after %s', async (_, error, position) => {
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

  test('it reports the failure once, and tries until it succeeds', async () => {
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

test('a stop waits for the current call, and closes the stream', async () => {
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
