import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { streamFilters } from '#registry.ts';
import { matchesFilter } from '../../infra/local/event-filter.ts';
import { TableStream } from '../../infra/local/table-stream.ts';
import { lineOf, serve } from './npm-start.ts';
import { oneOfEach, type Wire } from './stored-items.ts';

// Run this only at a release. The file keeps the items that the release stores for the demo and for the calls of `npm run smoke`.
// test/lib/kernel/table/stored-items.test.ts checks that today's code reads them.

async function recordsOf(endpoint: string, tableName: string): Promise<StreamRecord[]> {
  const client = createDynamodbClient(endpoint, { connectionTimeoutInMs: 30_000, replyTimeoutInMs: 60_000 });
  const stream = await TableStream.of({ dynamodb: createDocumentClient(client), tableName });
  const all: StreamRecord[] = [];
  for (const { id } of await stream.shards()) {
    let at = await stream.iteratorAt(id, 'TRIM_HORIZON');
    for (let isEmpty = false; at !== undefined && !isEmpty; ) {
      const { records, next } = await stream.read(at);
      all.push(...records);
      isEmpty = records.length === 0;
      at = next;
    }
  }
  stream.close();
  client.destroy();
  return all;
}

const served = await serve({ TABLE_NAME: 'stored-items' });
const env = {
  ...process.env,
  APP_ID: lineOf(served.greeting, 'app id'),
  APP_TOKEN: lineOf(served.greeting, 'token'),
};
await promisify(execFile)(process.execPath, ['infra/operator/smoke.ts', served.address], { env });
const records = await recordsOf(served.engine, 'stored-items');
const items = oneOfEach(records.flatMap(({ dynamodb }): Wire[] => (dynamodb?.NewImage ? [dynamodb.NewImage] : [])));
const passed = records.filter((record) => streamFilters.some((filter) => matchesFilter(filter, record)));
served.child.kill('SIGINT');
await served.exit;
await writeFile(join(import.meta.dirname, 'released-items.json'), `${JSON.stringify({ items }, undefined, 1)}\n`);
// docs/contributing.md#changes has this share.
process.stdout.write(`${passed.length} of ${records.length} records pass the filters of the stream\n`);
process.stdout.write(`${Object.keys(items).length} kinds: ${Object.keys(items).join(', ')}\n`);
