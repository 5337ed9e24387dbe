import { onTestFinished } from 'vitest';
import type { StreamReader, StreamRecord } from '#kernel/table/stream.ts';
import { startStreamPoller } from '../../infra/local/stream-poller.ts';
import { fileTable, testDependencies } from './dependencies.ts';

type Options = Partial<Parameters<typeof startStreamPoller>[0] & Pick<StreamReader, 'process'> & { tableName: string }>;

/** Polls for the records of jobs until the test ends, and keeps what it delivers. */
export async function polling({ process = async () => {}, tableName = fileTable(), ...options }: Options = {}) {
  const dependencies = testDependencies({ tableName });
  const batches: StreamRecord[][] = [];
  let look = () => {};
  const poller = await startStreamPoller({
    dependencies,
    ...options,
    readers: [
      {
        filters: [{ dynamodb: { Keys: { sk: { S: [{ prefix: 'JOB' }] } } } }],
        process: async (records, shardId) => {
          batches.push([...records]);
          look();
          await process(records, shardId);
        },
      },
    ],
  });
  onTestFinished(() => poller.stop());
  const records = () => batches.flat();
  /** Returns once that many records were delivered. */
  const seen = (count: number) =>
    new Promise<StreamRecord[]>((resolve) => {
      look = () => records().length >= count && resolve(records());
      look();
    });
  return { poller, batches, lines: dependencies.lines, records, seen };
}

export const partitionKeyOf = ({ dynamodb }: StreamRecord) => dynamodb?.Keys?.pk?.S;
