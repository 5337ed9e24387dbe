import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { projectRange } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { allContainersAtOnce } from '../../infra/local/all-containers.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { startJobs } from '../../infra/local/jobs.ts';
import { startQueueService } from '../../infra/local/queue-service.ts';
import { startServer } from '../../infra/local/server.ts';
import type { Places } from './compare.ts';

const job = v.object({ state: v.literal('OPEN'), kind: v.string() });

const lookEveryInMs = 100;
const patienceInMs = 60_000;

/** Runs `use` with a separate engine, and with the whole service on one of its two tables. */
export async function withPlaces<T>(projectId: string, use: (places: Places) => Promise<T>): Promise<T> {
  const engine = await startEngine({ prefer: 'dynoxide', env: process.env });
  const service = await startQueueService();
  const client = createDynamodbClient(engine.endpoint, allContainersAtOnce);
  await createTable(client, 'loaded', { withStream: false });
  await createTable(client, 'built');
  const composed = compose({ TABLE_NAME: 'built', DYNAMODB_ENDPOINT: engine.endpoint });
  const dynamodb = createDocumentClient(client);
  const log = (line: string) => {
    if (line.includes('"level":"error"')) process.stderr.write(`${line}\n`);
  };
  const rateLimiter = new RateLimiter(Number.MAX_SAFE_INTEGER);
  const dependencies = {
    ...composed,
    dynamodb,
    log,
    rateLimiter,
    managementGuard: 'open' as const,
    files: service.files,
    eventTargets: undefined,
  };
  const jobs = await startJobs(dependencies, async () => {}, service);
  const server = await startServer({ dependencies, port: 0 });
  const settle = async () => {
    const until = Date.now() + patienceInMs;
    do {
      await jobs.idle();
      await pause(lookEveryInMs);
      if (Date.now() > until) throw new Error('the service has work left after a minute');
    } while (await hasOpenJobs(new Table(dynamodb, 'built', new Date()), projectId));
  };
  try {
    const { baseUrl } = server;
    return await use({ loaded: { ...dependencies, tableName: 'loaded' }, built: dependencies, baseUrl, settle });
  } finally {
    await Promise.all([server.close(), jobs.stop()]);
    await engine.stop();
  }
}

async function hasOpenJobs(table: Table, projectId: string): Promise<boolean> {
  for await (const page of table.scan(projectRange(projectId))) if (page.some((item) => v.is(job, item))) return true;
  return false;
}
