import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { callTimes } from '../aws-client.ts';
import type { SendMail } from './mail.ts';

/** Two attempts for each of ten mails end within the worker's minute, even if SES hangs. The stream then delivers them again. */
const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 4_000 };
const attempts = 2;

/** Sends mail through SES. The worker imports it with the first mail: the client is a fifth of its bundle. */
export function createSesMailer(sender: string): SendMail {
  const client = new SESv2Client({ maxAttempts: attempts, requestHandler: callTimes(times) });
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return async ({ to, subject, text, html }) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: sender,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } } },
      }),
    );
  };
}
