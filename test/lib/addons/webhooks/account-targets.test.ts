import { expect, test } from 'vitest';
import { createQueueSender, sendInAccount } from '#addons/webhooks/account-targets.ts';

const message = { id: 'whs_1', type: 'customer.created', body: JSON.stringify({ name: 'Zoë ☕️ 🎁 \uffff' }) };

test('an event reaches a queue of the account in ASCII, and says the same', async () => {
  const bodies: string[] = [];
  const client = {
    send: async ({ input }: { input: { MessageBody: string } }) => {
      bodies.push(input.MessageBody);
      return { MessageId: 'm_1', $metadata: { httpStatusCode: 200 } };
    },
  };
  const send = createQueueSender(client as never, 'http://127.0.0.1:1/1/webhooks');
  expect(await send('orders', message)).toMatchObject({ status: 200 });
  expect(bodies[0]).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(bodies[0] ?? '')).toEqual(JSON.parse(message.body));
});

test('a service of the account that never answers fails the delivery in time', async () => {
  const target = { kind: 'sqs', name: 'orders' } as const;
  const targets = { sqs: () => new Promise<never>(() => {}), timeoutInMs: 100 };
  expect(await sendInAccount(target, message, targets)).toEqual({ status: null, text: 'Error: no answer in time' });
});
