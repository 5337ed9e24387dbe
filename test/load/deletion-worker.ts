import * as v from 'valibot';
import { projectDeletions } from '#addons/admin/management/projects.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { InsertFlow } from '#kernel/kit/jobs/insert-flow.ts';
import { jobItem } from '#kernel/kit/jobs/job.ts';
import { runJob } from '#kernel/kit/jobs/run.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { parseStored } from '#kernel/table/item.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks } from '#registry.ts';

/** Runs the deletion of a project until it ends, or until the process is killed: `deletion-worker.ts <endpoint> <table> <project>`. */

const patienceInMs = 300_000;
/** A worker of the deployed service ends a run after this time, and the queue starts the next run. */
const runInMs = 240_000;

export const workerReply = v.object({ cpuMilliseconds: v.number(), heapInMb: v.number(), calls: v.number() });

const noFiles: Files = {
  put: async () => {},
  read: async ({ place }) => {
    throw new Error(`${place} does not exist`);
  },
  join: async () => {},
  state: async () => undefined,
  async *pieces() {},
  remove: async () => {},
  removeAll: async () => {},
  link: async () => '',
  address: async () => '',
};

if (import.meta.main) {
  const [endpoint = '', tableName = '', projectId = ''] = process.argv.slice(2);
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  let calls = 0;
  client.middlewareStack.add((next) => (args) => {
    calls += 1;
    return next(args);
  });
  const dependencies = {
    dynamodb: createDocumentClient(client),
    tableName,
    clock: () => new Date(),
    log: (line: string) => (line.includes('"level":"error"') ? process.stderr.write(`${line}\n`) : true),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(),
    managementGuard: 'iam' as const,
    queues: { send: async () => {} },
    flow: new InsertFlow(),
    files: noFiles,
  };
  const key = projectDeletions(projectId);
  const table = new Table(dependencies.dynamodb, tableName, new Date());
  for (let state = 'OPEN'; state === 'OPEN'; ) {
    const until = Date.now() + runInMs;
    await runJob(key, dependencies, createWorks(), () => Date.now() > until);
    const [stored] = await table.getMany([key]);
    state = parseStored(jobItem, stored ?? {}).state;
  }
  const { user, system } = process.cpuUsage();
  process.send?.({
    cpuMilliseconds: (user + system) / 1_000,
    heapInMb: process.memoryUsage().heapUsed / 2 ** 20,
    calls,
  });
  process.disconnect();
}
