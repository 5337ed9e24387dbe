import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { type AccountTargets, createQueueSender } from '#addons/webhooks/account-targets.ts';
import { queueNames } from '#kernel/kit/jobs/queues.ts';
import { deadLettersName, type QueueService } from './queue-service.ts';

const ownQueues: readonly string[] = [...queueNames, deadLettersName];

/** Lets webhooks send to any queue of this machine, which the first event makes. A bus does not exist here. */
export function createLocalTargets({ client, urls }: Pick<QueueService, 'client' | 'urls'>): AccountTargets {
  const send = createQueueSender(client, urls.webhooks);
  return {
    sqs: async (name, message) => {
      if (ownQueues.includes(name)) throw new Error(`the server itself uses the queue ${name}`);
      const Attributes = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
      await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
      return send(name, message);
    },
    eventbridge: async (name) => {
      throw new Error(`the local server has no bus, so ${name} gets no event`);
    },
  };
}
