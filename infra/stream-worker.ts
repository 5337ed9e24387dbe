import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { compose, readEnvironment } from '../lib/composition.ts';
import type { SendMail } from '../lib/outbox/mail.ts';
import { type BatchResult, processRecords, type WorkerDependencies } from '../lib/outbox/worker.ts';
import { email } from '../lib/schema.ts';

const environment = v.object({
  /** Without it no mail is sent. */
  MAIL_SENDER: v.optional(email),
});

let composed: WorkerDependencies | undefined;

/** Loads the mail client with the first mail: what wakes the worker is codes to generate, nearly always. */
function mailerFrom(sender: string): SendMail {
  let mailer: Promise<SendMail> | undefined;
  return async (mail) => {
    mailer ??= import('../lib/outbox/ses.ts').then(({ sesMailer }) => sesMailer(sender));
    await (await mailer)(mail);
  };
}

function composeWorker(env: NodeJS.ProcessEnv): WorkerDependencies {
  const { MAIL_SENDER: sender } = readEnvironment(environment, env);
  return { ...compose(env), ...(sender === undefined ? {} : { sendMail: mailerFrom(sender) }) };
}

/** What Lambda calls with records of the table's stream. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<BatchResult> {
  composed ??= composeWorker(process.env);
  return processRecords(Records, composed);
}
