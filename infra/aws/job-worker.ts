import type { Context, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { readEnvironment } from '../../lib/environment.ts';
import { composeFiles } from '../../lib/files/access.ts';
import { composeJobs } from '../../lib/jobs/compose.ts';
import { type BatchResult, runMessages } from '../../lib/jobs/messages.ts';
import type { JobDependencies, Works } from '../../lib/jobs/run.ts';
import type { SendMail } from '../../lib/mail/mail.ts';
import { email } from '../../lib/schema.ts';
import { worksWith } from '../../lib/works.ts';

const environment = v.object({
  /** Without it no mail is sent. */
  MAIL_SENDER: v.optional(email),
});

/** For what is under way when the time is up: a wave of inserts and the note of it. */
const reserveInMs = 20_000;

let composed: { dependencies: JobDependencies; works: Works } | undefined;

/** Loads the mail client with the first mail: most workers have none to send. */
function mailerFrom(sender: string): SendMail {
  let mailer: Promise<SendMail> | undefined;
  return async (mail) => {
    mailer ??= import('../../lib/mail/ses.ts').then(({ sesMailer }) => sesMailer(sender));
    await (await mailer)(mail);
  };
}

function composeWorker(env: NodeJS.ProcessEnv) {
  const { MAIL_SENDER: sender } = readEnvironment(environment, env);
  const sendMail = sender === undefined ? undefined : mailerFrom(sender);
  return { dependencies: { ...composeJobs(env), files: composeFiles(env) }, works: worksWith({ sendMail }) };
}

/** What Lambda calls with messages of one of the queues. */
export async function handler(
  { Records }: SQSEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<BatchResult> {
  composed ??= composeWorker(process.env);
  const { dependencies, works } = composed;
  return runMessages(Records, dependencies, works, () => getRemainingTimeInMillis() < reserveInMs);
}
