import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { startQueuePoller } from '../../../infra/local/queue-poller.ts';
import { type QueueService, startQueueService } from '../../../infra/local/queue-service.ts';

let service: QueueService;
beforeAll(async () => {
  service = await startQueueService();
});
afterAll(() => service.stop());

const limits = { perReceiver: 8, kept: 16, asideAfterMs: 500 };

/** Feeds a worker until the test ends. Messages of receivers that hang wait for `release`. */
function feed(url: string, hangs: (receiver: string) => boolean, note: (message: { pk: string; sk: string }) => void) {
  const isOver = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const poller = startQueuePoller({
    client: service.client,
    url,
    batchSize: 1,
    parallel: 64,
    fair: { receiverOf: (body) => JSON.parse(body).pk, ...limits },
    onError: (error) => errors.push(error),
    process: async (records) => {
      expect(records).toHaveLength(1);
      for (const { body } of records) {
        const message = JSON.parse(body);
        note(message);
        if (hangs(message.pk)) await isOver.promise;
      }
      return { batchItemFailures: [] };
    },
  });
  const stop = async () => {
    const stopped = poller.stop();
    isOver.resolve();
    await stopped;
    expect(errors).toEqual([]);
  };
  return { stop, release: () => isOver.resolve() };
}

const send = (queue: 'webhooks' | 'bulk', pk: string, names: readonly string[]) =>
  createSqsQueues(service.client, service.urls).send(
    queue,
    names.map((sk) => ({ key: { pk, sk } })),
  );
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));

test('hundreds of messages of twelve receivers that do not answer delay no message of another receiver', async () => {
  const hanging = numbered(12).map((index) => `hanging-${index}`);
  const got = new Map<string, string[]>();
  const allQuick = Promise.withResolvers<void>();
  for (const name of hanging) await send('webhooks', name, numbered(30));
  await send('webhooks', 'quick', numbered(20));
  const { stop } = feed(
    service.urls.webhooks,
    (name) => name !== 'quick',
    ({ pk, sk }) => {
      got.set(pk, [...(got.get(pk) ?? []), sk]);
      if (got.get('quick')?.length === 20) allQuick.resolve();
    },
  );
  await allQuick.promise;
  for (const name of hanging) expect(got.get(name)?.length ?? 0).toBeLessThanOrEqual(limits.perReceiver);
  await stop();
  expect(new Set(got.get('quick')).size).toBe(20);
});

test('a message that waits for its receiver is delivered once, although the sweep sends it again', async () => {
  const seen: string[] = [];
  const isBusy = Promise.withResolvers<void>();
  const isReceived = Promise.withResolvers<void>();
  const isLast = Promise.withResolvers<void>();
  const { stop, release } = feed(
    service.urls.bulk,
    (name) => name === 'slow',
    ({ pk, sk }) => {
      seen.push(`${pk}-${sk}`);
      if (seen.length === limits.perReceiver) isBusy.resolve();
      if (pk === 'other') isReceived.resolve();
      if (sk === 'last') isLast.resolve();
    },
  );
  const numbers = numbered(40);
  await send('bulk', 'slow', numbers);
  await isBusy.promise;
  await send('bulk', 'slow', numbers.slice(limits.perReceiver));
  await send('bulk', 'slow', ['last']);
  // The queue has one poller, so this message is received after all others.
  await send('bulk', 'other', ['0']);
  await isReceived.promise;
  release();
  await isLast.promise;
  await stop();
  expect(seen.filter((one) => one.startsWith('slow')).toSorted()).toEqual(
    [...numbers, 'last'].map((name) => `slow-${name}`).toSorted(),
  );
});

test('a message that cannot be read holds up no message that came with it', async () => {
  const bodies = ['no JSON', ...numbered(9).map((sk) => JSON.stringify({ pk: 'quick', sk }))];
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
  const QueueUrl = service.urls.events;
  await service.client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const seen = new Set<string>();
  const all = Promise.withResolvers<void>();
  const failures: string[] = [];
  const poller = startQueuePoller({
    client: service.client,
    url: QueueUrl,
    batchSize: 1,
    parallel: 64,
    fair: { receiverOf: (body) => JSON.parse(body).pk, ...limits },
    onError: (error) => failures.push(String(error)),
    process: async (records) => {
      const [{ messageId = '', body = '' } = {}] = records;
      if (!body.startsWith('{')) return { batchItemFailures: [{ itemIdentifier: messageId }] };
      if (seen.add(body).size === 9) all.resolve();
      return { batchItemFailures: [] };
    },
  });
  await all.promise;
  await poller.stop();
  expect(failures).toEqual([]);
});
