import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { sweepDeliveries } from '#addons/webhooks/sweep-deliveries.ts';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { allContainersAtOnce } from '../../infra/local/all-containers.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { runHourly } from '../../infra/local/hourly.ts';
import { startJobs } from '../../infra/local/jobs.ts';
import { startQueueService } from '../../infra/local/queue-service.ts';
import { startServer } from '../../infra/local/server.ts';

/**
 * Serves the API with all workers and a separate engine, for `webhook-storm.long.test.ts`. Time runs faster here, so
 * that retries after minutes come after seconds. Ends with the process that started it.
 */

const { STORM_DIR = '', STORM_FILE = '', STORM_BEGAN = '0', STORM_PACE = '1' } = process.env;
const pace = Number(STORM_PACE);
const began = Number(STORM_BEGAN);
const tableName = 'tessera';
const clock = () => new Date(began + (Date.now() - began) * pace);

process.on('disconnect', () => process.exit());
const engine = await startEngine({
  prefer: 'dynoxide',
  env: { ...process.env, DYNAMODB_ENDPOINT: '' },
  dataDir: STORM_DIR,
});
engine.died?.then(() => process.exit(1));
const client = createDynamodbClient(engine.endpoint, allContainersAtOnce);
await createTable(client, tableName);
const service = await startQueueService();
service.client.middlewareStack.add(
  (next) => (args) => {
    if ('Entries' in args.input) {
      for (const entry of args.input.Entries ?? []) {
        if ('DelaySeconds' in entry) entry.DelaySeconds = Math.ceil(Number(entry.DelaySeconds) / pace);
      }
    }
    return next(args);
  },
  { step: 'initialize' },
);
const dependencies = {
  ...compose({ TABLE_NAME: tableName, DYNAMODB_ENDPOINT: engine.endpoint }),
  dynamodb: createDocumentClient(client),
  clock,
  log: () => {},
  rateLimiter: new RateLimiter(Number.MAX_SAFE_INTEGER),
  managementGuard: 'open' as const,
  files: service.files,
  eventTargets: undefined,
};
await loadProjectFile(STORM_FILE, { dynamodb: dependencies.dynamodb, tableName, now: clock(), unlessLoaded: true });
const server = await startServer({ dependencies, port: 0 });
await startJobs(dependencies, async () => {}, service, undefined, server.baseUrl);
const queues = createSqsQueues(service.client, service.urls);
runHourly(
  async (isTimeUp) => {
    await sweepDeliveries({ ...dependencies, queues }, isTimeUp).catch(() => {});
  },
  Math.ceil(60_000 / pace),
);
process.send?.(server.baseUrl);
