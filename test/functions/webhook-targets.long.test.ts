import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AccountTargets, createBusSender } from '#addons/webhooks/account-targets.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as getWebhook } from '../../functions/management/get-webhook.ts';
import { handler as listDeliveries } from '../../functions/management/list-webhook-deliveries.ts';
import { handler as updateWebhook } from '../../functions/management/update-webhook.ts';
import { createLocalTargets } from '../../infra/local/local-targets.ts';
import { startQueueService } from '../../infra/local/queue-service.ts';
import { openHearing } from '../support/hearing.ts';

/** Webhooks send to queues and buses of the account, and to the log alone. */

const service = await startQueueService();
afterAll(() => service.stop());

async function open(target_url: string, account: AccountTargets = {}) {
  const hearing = await openHearing({}, { account });
  const { body: webhook } = await hearing.manage(createWebhook, {}, { target_url, events: ['customer.created'] });
  const params = { webhookId: webhook.id };
  return {
    ...hearing,
    newCustomer: async () => {
      await hearing.call(createCustomer, { body: { source_id: 'ingrid' } });
      return hearing.settle();
    },
    log: async () => (await hearing.manage(listDeliveries, params)).body.data,
    isActive: async () => (await hearing.manage(getWebhook, params)).body.active,
    update: (body: object) => hearing.manage(updateWebhook, params, body),
    complaints: () => hearing.dependencies.lines.filter((line) => line.includes('"webhook_failed":true')),
  };
}

async function received(QueueName: string): Promise<{ type: string; source: object }[]> {
  const { QueueUrl } = await service.client.send(new GetQueueUrlCommand({ QueueName }));
  const { Messages = [] } = await service.client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
  );
  return Messages.map(({ Body }) => JSON.parse(String(Body)));
}

/** Starts an EventBridge that answers as told, and keeps the entries of its calls. */
async function startBus(answer: object) {
  const entries: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      entries.push(...JSON.parse(Buffer.concat(pieces).toString()).Entries);
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { entries, account: { eventbridge: createBusSender(`http://127.0.0.1:${port}`) } };
}

describe('a queue of the account', () => {
  test.each(['orders', 'orders.fifo'])('gets the whole envelope once: %s', async (name) => {
    const own = await open(`sqs:${name}`, createLocalTargets(service));
    await own.newCustomer();
    expect(await received(name)).toEqual([
      expect.objectContaining({
        type: 'customer.created',
        source: expect.objectContaining({ target_url: `sqs:${name}` }),
      }),
    ]);
    expect(await own.log()).toMatchObject([
      { status: 'SUCCEEDED', attempts: [{ status: 200, answer: expect.stringMatching(/^message /) }] },
    ]);
  });

  test('that the deployment does not name gets nothing, no retry, and tells operators', async () => {
    const own = await open('sqs:others', { ...createLocalTargets(service), allowed: ['sqs:orders'] });
    expect(await own.newCustomer()).toEqual([]);
    const answer = expect.stringContaining('sqs:others is not among the event-targets');
    expect(await own.log()).toMatchObject([
      { status: 'FAILED', attempts: [{ status: null, answer }], next_attempt_at: null },
    ]);
    expect(own.complaints()).toHaveLength(1);
    expect(await own.isActive()).toBe(true);
  });

  test('that the server itself uses is refused', async () => {
    const own = await open('sqs:webhooks', createLocalTargets(service));
    await own.newCustomer();
    const answer = expect.stringContaining('itself uses the queue webhooks');
    expect(await own.log()).toMatchObject([{ status: 'FAILED', attempts: [{ answer }] }]);
  });
});

describe('a bus of the account', () => {
  test('gets the event with its type and the envelope', async () => {
    const { entries, account } = await startBus({ FailedEntryCount: 0, Entries: [{ EventId: 'e-1' }] });
    const own = await open('eventbridge:shop', account);
    await own.newCustomer();
    expect(entries).toMatchObject([{ EventBusName: 'shop', Source: 'tessera', DetailType: 'customer.created' }]);
    expect(JSON.parse(String(entries[0]?.Detail))).toMatchObject({ type: 'customer.created', project_id: own.id });
    expect(await own.log()).toMatchObject([{ status: 'SUCCEEDED', attempts: [{ answer: 'event e-1' }] }]);
  });

  test('gets nothing from the local server, and the log says so', async () => {
    const own = await open('eventbridge:shop', createLocalTargets(service));
    await own.newCustomer();
    const answer = expect.stringContaining('the local server has no bus');
    expect(await own.log()).toMatchObject([{ status: 'FAILED', attempts: [{ status: null, answer }] }]);
  });

  test('that refuses an event in a successful call fails the delivery', async () => {
    const refusal = { ErrorCode: 'NotAuthorized', ErrorMessage: 'no right' };
    const { account } = await startBus({ FailedEntryCount: 1, Entries: [refusal] });
    const own = await open('eventbridge:shop', account);
    await own.newCustomer();
    const answer = 'NotAuthorized: no right';
    expect(await own.log()).toMatchObject([{ status: 'FAILED', attempts: [{ status: null, answer }] }]);
    expect(own.complaints()).toHaveLength(1);
  });
});

describe('a log', () => {
  test('keeps events without a request, until a day after its last change', async () => {
    const own = await open('log:listen');
    await own.newCustomer();
    expect(await own.log()).toMatchObject([{ status: 'SUCCEEDED', attempts: [{ answer: 'kept in the log' }] }]);
    own.clock.advance(23 * 3_600);
    await own.update({ active: true });
    own.clock.advance(2 * 3_600);
    await own.call(createCustomer, { body: { source_id: 'second' } });
    await own.settle();
    expect(await own.log()).toHaveLength(2);
    expect(await own.isActive()).toBe(true);
    own.clock.advance(23 * 3_600);
    await own.call(createCustomer, { body: { source_id: 'third' } });
    await own.settle();
    const states = (await own.log()).map(({ status }: { status: string }) => status);
    expect(states.toSorted()).toEqual(['CANCELED', 'SUCCEEDED', 'SUCCEEDED']);
    expect([await own.isActive(), own.complaints()]).toEqual([false, []]);
  });
});

test.each(['sqs:', 'sqs:two words', 'eventbridge:arn:aws:events:bus', 'log:a/b', 'SQS:orders'])(
  '%s is no target',
  async (target_url) => {
    const { manage } = await openHearing();
    const { status, body } = await manage(createWebhook, {}, { target_url, events: ['customer.created'] });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('sqs:QUEUE, eventbridge:BUS or log:NAME');
  },
);
