import * as v from 'valibot';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { InsertFlow } from '#kernel/kit/jobs/insert-flow.ts';
import { jobItem } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { keyAsJson } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks } from '#registry.ts';

/** Runs a worker with one job, which is delivered until it has ended: `job.ts <endpoint> <table> <pk> <sk>`. */

/** Measurements on a busy machine also count, and their figures show it. */
const patienceInMs = 60_000;

export const jobReply = v.object({ calls: v.number(), cpuMilliseconds: v.number(), state: v.string() });

if (import.meta.main) {
  const [endpoint = '', tableName = '', pk = '', sk = ''] = process.argv.slice(2);
  const client = createDynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  let calls = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      calls += 1;
      return next(args);
    },
    { step: 'initialize' },
  );
  const dependencies = {
    dynamodb: createDocumentClient(client),
    tableName,
    clock: () => new Date(),
    log: (line: string) => process.stderr.write(`${line}\n`),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(),
    managementGuard: 'iam' as const,
    queues: { send: async () => {} },
    flow: new InsertFlow(),
  };
  const key: Key = { pk, sk };
  let state = 'OPEN';
  while (state === 'OPEN') {
    const { batchItemFailures } = await runMessages(
      [{ messageId: 'job', body: keyAsJson(key) }],
      dependencies,
      createWorks(),
    );
    if (batchItemFailures.length > 0) throw new Error('the job failed');
    const [stored] = await new Table(dependencies.dynamodb, tableName, new Date()).getMany([key]);
    state = parseStored(jobItem, stored ?? {}).state;
  }
  const { user, system } = process.cpuUsage();
  process.send?.({ calls, cpuMilliseconds: (user + system) / 1_000, state });
  process.disconnect();
}
