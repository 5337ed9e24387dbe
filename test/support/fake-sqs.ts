import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { serveReplies } from './served-replies.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/** Serves an SQS that keeps messages by queue, and refuses the content of those that the test names. */
export async function serveSqs(refusalOf: (body: string) => string | undefined) {
  const kept: { queue: string; body: string }[] = [];
  const served = await serveReplies(({ headers, body }) => {
    const { QueueUrl, Entries, MessageBody } = JSON.parse(body);
    const queue = String(QueueUrl).split('/').at(-1) ?? '';
    const keep = (text: string) => kept.push({ queue, body: text });
    if (headers['x-amz-target'] === 'AmazonSQS.SendMessage') {
      keep(MessageBody);
      return { json: { MessageId: 'm', MD5OfMessageBody: hash('md5', MessageBody) } };
    }
    const refused = (Entries as Entry[]).filter(({ MessageBody: text }) => refusalOf(text) !== undefined);
    for (const { MessageBody: text } of Entries as Entry[]) if (refusalOf(text) === undefined) keep(text);
    const Failed = refused.map(({ Id, MessageBody: text }) => ({ Id, SenderFault: true, Code: refusalOf(text) }));
    return { json: { Successful: [], Failed } };
  });
  onTestFinished(served.close);
  return { endpoint: served.url, kept };
}
