import { afterAll, beforeAll, expect, test } from 'vitest';
import { startQueuePoller } from '../../../infra/local/queue-poller.ts';
import { type QueueService, startQueueService } from '../../../infra/local/queue-service.ts';
import { createSqsQueues } from '../../../lib/kit/jobs/sqs.ts';

let service: QueueService;
beforeAll(async () => {
  service = await startQueueService();
});
afterAll(() => service.stop());

test('two hundred messages of a receiver that does not answer delay no message of another receiver', async () => {
  const { client, urls } = service;
  const slow: string[] = [];
  const quick: string[] = [];
  const isOver = Promise.withResolvers<void>();
  const allQuick = Promise.withResolvers<void>();
  const send = (pk: string, count: number) =>
    createSqsQueues(client, urls).send(
      'webhooks',
      Array.from({ length: count }, (_, index) => ({ key: { pk, sk: String(index) } })),
    );
  await send('slow', 200);
  await send('quick', 20);
  const errors: unknown[] = [];
  const poller = startQueuePoller({
    client,
    url: urls.webhooks,
    batchSize: 1,
    parallel: 64,
    fair: { receiverOf: (body) => JSON.parse(body).pk, perReceiver: 8 },
    onError: (error) => errors.push(error),
    process: async (records) => {
      expect(records).toHaveLength(1);
      for (const { body } of records) {
        const { pk, sk } = JSON.parse(body);
        if (pk === 'quick') quick.push(sk);
        else slow.push(sk);
        if (quick.length === 20) allQuick.resolve();
        if (pk === 'slow') await isOver.promise;
      }
      return { batchItemFailures: [] };
    },
  });
  await allQuick.promise;
  expect(slow).toHaveLength(8);
  const stopped = poller.stop();
  isOver.resolve();
  await stopped;
  expect([slow.length, new Set(quick).size, errors]).toEqual([8, 20, []]);
});
