import type { Context, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { composeAthena } from '#addons/reports/athena/compose.ts';
import { composeAccountTargets } from '#addons/webhooks/compose-targets.ts';
import { readEnvironment } from '#kernel/core/environment.ts';
import { composeFiles } from '#kernel/core/files/access.ts';
import type { SendMail } from '#kernel/core/mail/mail.ts';
import { email } from '#kernel/core/schema.ts';
import { composeJobs } from '#kernel/kit/jobs/compose.ts';
import { type BatchResult, runMessages } from '#kernel/kit/jobs/messages.ts';
import type { JobDependencies, Works } from '#kernel/kit/jobs/run.ts';
import { createWorks } from '#registry.ts';
import { leftOutIn } from '../left-out.ts';

const environment = v.object({
  /** The sender's address. Without it no mail is sent. */
  MAIL_SENDER: v.optional(email),
  /** The address of the API. */
  API_URL: v.optional(v.pipe(v.string(), v.url())),
  /** The queues and buses that webhooks may send to. */
  EVENT_TARGETS: v.optional(v.string()),
});

/** Leaves time for work in progress: a wave of inserts and its note. */
const reserveInMs = 20_000;
/** Leaves time to name the messages that did not end, before Lambda cuts off the whole call. */
const endInMs = 3_000;

let composed: { dependencies: JobDependencies; works: Works } | undefined;

/** Loads the mail client with the first mail, because most workers send none. */
function mailerFrom(sender: string): SendMail {
  let mailer: Promise<SendMail> | undefined;
  return async (mail) => {
    mailer ??= import('#kernel/core/mail/ses.ts').then(({ createSesMailer }) => createSesMailer(sender));
    await (await mailer)(mail);
  };
}

function composeWorker(env: NodeJS.ProcessEnv) {
  const { MAIL_SENDER: sender, API_URL: baseUrl, EVENT_TARGETS } = readEnvironment(environment, env);
  const sendMail = sender === undefined ? undefined : mailerFrom(sender);
  const account = EVENT_TARGETS === undefined ? undefined : composeAccountTargets(EVENT_TARGETS, env);
  const works = createWorks({ sendMail, baseUrl, account }, leftOutIn(env));
  const reports = composeAthena(env);
  return { dependencies: { ...composeJobs(env), files: composeFiles(env), ...(reports ? { reports } : {}) }, works };
}

/** Lambda calls this handler with messages of one of the queues. */
export async function handler(
  { Records }: SQSEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<BatchResult> {
  composed ??= composeWorker(process.env);
  const { dependencies, works } = composed;
  const isTimeUp = () => getRemainingTimeInMillis() < reserveInMs;
  return runMessages(Records, dependencies, works, isTimeUp, getRemainingTimeInMillis() - endInMs);
}
