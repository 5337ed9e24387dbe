import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { handler as createHandler } from '../../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../../functions/campaigns/get-campaign.ts';
import { handler as updateHandler } from '../../../functions/campaigns/update-campaign.ts';
import { handler as createCustomer } from '../../../functions/customers/create-customer.ts';
import { handler as listCustomers } from '../../../functions/customers/list-customers.ts';
import { handler as inviteHandler } from '../../../functions/management/invite-user.ts';
import { handler as listTiersHandler } from '../../../functions/promotions/list-promotion-tiers.ts';
import { handler as createSegment } from '../../../functions/segments/create-segment.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import { type Jobs, startJobs } from '../../../infra/local/jobs.ts';
import { type QueuePoller, startQueuePoller } from '../../../infra/local/queue-poller.ts';
import { type QueueService, startQueueService } from '../../../infra/local/queue-service.ts';
import { caller } from '../../support/call.ts';
import { engineClient, testDependencies, uniqueId } from '../../support/dependencies.ts';
import { uniqueEmail } from '../../support/invitations.ts';
import { itemsOf } from '../../support/outbox.ts';
import { loadProject, type TestProject } from '../../support/project.ts';

/** Builds dependencies with a stream and the real time, because queues and sweep depend on it. */
const dependencies = testDependencies({ tableName: uniqueId('tessera-jobs-'), clock: () => new Date() });
const client = engineClient();
/** Gives waits all the time of a test, because no test measures them. */
const inTime = { timeout: 240_000 };

let project: TestProject;
let jobs: Jobs;
const refused: string[] = [];

beforeAll(async () => {
  await createTable(client, dependencies.tableName);
  project = await loadProject({}, dependencies);
  jobs = await startJobs(
    dependencies,
    async ({ to }) => {
      refused.push(to);
      throw new Error('the receiver refuses');
    },
    await startQueueService(),
  );
});

afterAll(async () => {
  await jobs.stop();
  await client.send(new DeleteTableCommand({ TableName: dependencies.tableName }));
  client.destroy();
});

test('work behind a request reaches its worker by stream and queue, and a refused mail delays no code', async () => {
  const headers = project.credentials;
  const email = uniqueEmail();
  const person = { email, first_name: 'Siv', last_name: 'Aune' };
  await caller(inviteHandler, dependencies)({ body: { ...person, projects: { [project.id]: 'ADMIN' } } });
  const created = await caller(createHandler, dependencies)({ headers, body: { vouchers_count: 2_100 } });
  const params = { campaignId: created.body.id };
  await caller(updateHandler, dependencies)({ headers, params, body: { description: 'New' } });
  await expect
    .poll(async () => (await caller(getHandler, dependencies)({ headers, params })).body, inTime)
    .toMatchObject({ creation_status: 'DONE', vouchers_count: 2_100, description: 'New' });
  expect(await itemsOf(project.id, 'VOUCHER', dependencies)).toHaveLength(2_100);
  await expect.poll(() => refused.includes(email), inTime).toBe(true);
});

test("a customer who meets a segment's filter enters it after the request that created either", async () => {
  const call = async (handler: Parameters<typeof caller>[0], request: object) =>
    (await caller(handler, dependencies)({ headers: project.credentials, ...request })).body;
  const early = await call(createCustomer, { body: { metadata: { roast: 'dark' } } });
  const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: 'dark' } } };
  const { id } = await call(createSegment, { body: { name: 'Dark', type: 'auto-update', filter } });
  const late = await call(createCustomer, { body: { metadata: { roast: 'dark' } } });
  const query = `segment_id=${id}&order=created_at`;
  await expect
    .poll(async () => (await call(listCustomers, { query })).customers.map((one: { id: string }) => one.id), inTime)
    .toEqual([early.id, late.id]);
});

test('promotion tiers of a project file count in the total of their list once the stream is read', async () => {
  const campaign = { id: 'camp_tide', name: 'Tide', campaign_type: 'PROMOTION', type: 'STATIC' };
  const promotion_tiers = Array.from({ length: 120 }, (_, index) => ({
    id: `promo_${index}`,
    campaign_id: campaign.id,
    name: `Tier ${index}`,
    hierarchy: index,
    action: { discount: { type: 'PERCENT', percent_off: 5 } },
  }));
  const { credentials: headers } = await loadProject({ campaigns: [campaign], promotion_tiers }, dependencies);
  await jobs.idle();
  const { body } = await caller(listTiersHandler, dependencies)({ headers, query: 'limit=5' });
  expect(body).toMatchObject({ total: 120, has_more: true });
});

describe('a queue', () => {
  let service: QueueService;
  const pollers: QueuePoller[] = [];
  beforeAll(async () => {
    service = await startQueueService();
  });
  afterAll(async () => {
    await Promise.all(pollers.map((poller) => poller.stop()));
    await service.stop();
  });

  test('delivers each message once, and late if the sender asks for it', async () => {
    const bodies: string[] = [];
    let lateAt = 0;
    const seen = Promise.withResolvers<void>();
    const { urls } = service;
    const queues = createSqsQueues(service.client, urls);
    const key = (pk: string) => ({ pk, sk: 'JOB' });
    pollers.push(
      startQueuePoller({
        client: service.client,
        url: urls.bulk,
        batchSize: 10,
        parallel: 2,
        onError: () => {},
        process: async (records) => {
          bodies.push(...records.map(({ body }) => JSON.parse(body).pk));
          if (lateAt === 0 && bodies.includes('late')) lateAt = performance.now();
          if (bodies.length === 26) seen.resolve();
          return { batchItemFailures: [] };
        },
      }),
    );
    const sentAt = performance.now();
    await queues.send('bulk', [{ key: key('late'), delayInS: 1 }]);
    await queues.send(
      'bulk',
      Array.from({ length: 25 }, (_, index) => ({ key: key(String(index)) })),
    );
    await seen.promise;
    expect(new Set(bodies).size).toBe(26);
    expect(lateAt - sentAt).toBeGreaterThanOrEqual(990);
  });
});

test('a queue that stays empty longer than a reply may take is no failure', async () => {
  const replyTimeoutInMs = 50;
  const calls: ServerResponse[] = [];
  const server = createServer((_, response) => {
    calls.push(response);
    server.emit('called');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { requestTimeout: replyTimeoutInMs, throwOnRequestTimeout: true },
    maxAttempts: 1,
  });
  const errors: unknown[] = [];
  const firstCall = once(server, 'called');
  const poller = startQueuePoller({
    client,
    url: `http://127.0.0.1:${port}/queue`,
    batchSize: 1,
    parallel: 1,
    onError: (error) => errors.push(error),
    process: async () => ({ batchItemFailures: [] }),
  });
  await firstCall;
  const secondCall = once(server, 'called');
  await later(replyTimeoutInMs * 3);
  calls[0]?.end('{}');
  await secondCall;
  await poller.stop();
  server.closeAllConnections();
  server.close();
  expect(errors).toEqual([]);
});
