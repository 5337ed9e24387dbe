import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settingAside } from '#kernel/kit/jobs/dead-letters.ts';
import { MessagesRefused, type QueueUrls, queueNames } from '#kernel/kit/jobs/queues.ts';
import { createSqsClient, createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { readMessage } from '#kernel/table/keys.ts';
import { startQueueService } from '../../../../../infra/local/queue-service.ts';
import { testTime } from '../../../../support/dependencies.ts';
import { serveSqs } from '../../../../support/fake-sqs.ts';

const texts = [
  'plain',
  'Søren Ærø',
  'Ελλάδα',
  '日本',
  '☕️ 🎁 👩‍👩‍👧',
  '\u0001\u007f\u0085',
  '\ufffe\uffff',
  'a"\\b\n',
  '\u202egnp',
];

const urlsAt = (endpoint: string) =>
  Object.fromEntries(queueNames.map((name) => [name, `${endpoint}/1/${name}`])) as QueueUrls;

/** Opens queues at an SQS that refuses messages with the word `bad`. */
async function openQueues(code = 'InvalidMessageContents') {
  const { endpoint, kept } = await serveSqs((body) => (body.includes('bad') ? code : undefined));
  const client = createSqsClient(endpoint);
  onTestFinished(() => client.destroy());
  return { queues: createSqsQueues(client, urlsAt(endpoint)), client, kept, deadLetters: `${endpoint}/1/dead-letters` };
}

const messages = (...names: string[]) => names.map((name) => ({ key: { pk: `proj_1#JOB#${name}`, sk: 'JOB' } }));
const eventOf = (text: string) => ({ event: { id: text, type: 'customer.updated', at: '2026-06-15T10:00:00.000Z' } });
const names = (kept: readonly { body: string }[]) => kept.map(({ body }) => readMessage(body).key.pk.slice(11));

describe('messages to queues', () => {
  test('with every kind of text are accepted, are ASCII, and arrive unchanged', async () => {
    const { queues, kept } = await openQueues();
    const sent = texts.map((text) => ({ key: { pk: `proj_1#CUSTOMER#${text}`, sk: 'CUSTOMER' }, more: eventOf(text) }));
    await queues.send('events', sent);
    expect(kept.map(({ body }) => readMessage(body))).toEqual(sent);
    for (const { body } of kept) expect(body).toMatch(/^[\x20-\x7e]+$/);
  });

  test('are accepted by the local SQS, which refuses emoji themselves', async () => {
    const service = await startQueueService();
    onTestFinished(service.stop);
    const Entries = [{ Id: '0', MessageBody: JSON.stringify({ pk: '🎁' }) }];
    const { Failed } = await service.client.send(new SendMessageBatchCommand({ QueueUrl: service.urls.bulk, Entries }));
    expect(Failed).toMatchObject([{ Code: 'InvalidMessageContents' }]);
    const sent = texts.map((text) => ({ key: { pk: text, sk: 'CUSTOMER' } }));
    await createSqsQueues(service.client, service.urls).send('bulk', sent);
  });

  test.each(['InvalidMessageContents', 'InvalidParameterValue'])(
    'that are refused as %s are named, after all others were sent',
    async (code) => {
      const { queues, kept } = await openQueues(code);
      const numbered = Array.from({ length: 25 }, (_, index) => (index % 12 === 3 ? `bad ${index}` : `${index}`));
      const refusal = await queues.send('bulk', messages(...numbered)).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(MessagesRefused);
      expect(refusal).toMatchObject({
        refused: ['bad 3', 'bad 15'].map((name) => ({ ...messages(name)[0], why: expect.stringContaining(code) })),
      });
      expect(names(kept)).toEqual(numbered.filter((name) => !name.startsWith('bad')));
    },
  );

  test('that SQS cannot take now are an error, which is no refusal', async () => {
    const { queues } = await openQueues('InternalError');
    const failure = await queues.send('bulk', messages('bad')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MessagesRefused);
  });

  test('of which one is too large for SQS are sent but for that one', async () => {
    const service = await startQueueService();
    onTestFinished(service.stop);
    const queues = createSqsQueues(service.client, service.urls);
    const [small, large, other] = messages('small', 'large', 'other');
    const all = [small, { key: { pk: '', sk: '' }, ...large, more: eventOf('x'.repeat(2_000_000)) }, other];
    const refusal = await queues
      .send(
        'bulk',
        all.filter((one) => one !== undefined),
      )
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ refused: [{ key: large?.key }] });
  });
});

describe('a reader of the stream', () => {
  test('puts a refused message into the dead letters, says which, and goes on', async () => {
    const { queues, client, kept, deadLetters } = await openQueues();
    const lines: string[] = [];
    const aside = settingAside(queues, {
      client,
      url: deadLetters,
      clock: () => testTime,
      log: (line) => lines.push(line),
    });
    await aside.send('events', messages('one', 'bad ☕️', 'two'));
    await aside.send('bulk', messages('three'));
    const letters = kept.filter(({ queue }) => queue === 'dead-letters').map(({ body }) => body);
    expect(letters.map((body) => JSON.parse(body))).toEqual([
      { pk: 'proj_1#JOB#bad ☕️', sk: 'JOB', queue: 'events', why: expect.stringContaining('InvalidMessageContents') },
    ]);
    expect(letters[0]).toMatch(/^[\x20-\x7e]+$/);
    expect(names(kept.filter(({ queue }) => queue !== 'dead-letters'))).toEqual(['one', 'two', 'three']);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        part: 'dead-letters',
        queue: 'events',
        item: expect.stringContaining('bad ☕️'),
      }),
    ]);
  });

  test('keeps its place if the queue fails, or if the dead letters do', async () => {
    const { queues, client } = await openQueues('InternalError');
    const options = { client, url: 'http://127.0.0.1:1/dead-letters', clock: () => testTime, log: () => {} };
    await expect(settingAside(queues, options).send('events', messages('bad'))).rejects.toThrow('not taken');
    const { queues: refusing } = await openQueues();
    const gone = createSqsClient('http://127.0.0.1:1');
    await expect(
      settingAside(refusing, { ...options, client: gone }).send('events', messages('bad')),
    ).rejects.toThrow();
    gone.destroy();
  });
});
