import { expect, test } from 'vitest';
import { deliveries } from '#addons/webhooks/delivery.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { createWorks } from '#registry.ts';
import { testDependencies } from '../../../../support/dependencies.ts';
import { messagesFor } from '../../../../support/outbox.ts';

test('a message whose work never ends fails alone, and the nine others of its call are done', async () => {
  const dependencies = testDependencies();
  const messages = messagesFor(Array.from({ length: 10 }, (_, index) => deliveries('proj_1', 'wh_1', `whs_${index}`)));
  const done: string[] = [];
  const works = {
    ...createWorks(),
    deliver: async ({ pk, sk }: { pk: string; sk: string }) => {
      if (pk.includes('whs_3')) await new Promise(() => {});
      done.push(`${pk}\n${sk}`);
    },
  };
  const endsInMs = 200;
  const result = await runMessages(messages, dependencies, works, () => false, endsInMs);
  const [hanging] = messages.filter(({ messageId }) => messageId.includes('whs_3'));
  expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: hanging?.messageId }] });
  expect(done).toHaveLength(9);
  const [line = ''] = dependencies.lines;
  expect(JSON.parse(line)).toMatchObject({ message_id: hanging?.messageId, level: 'error' });
  expect(line).toContain('the time of the call');
});
