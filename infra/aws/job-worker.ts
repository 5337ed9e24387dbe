import type { Context, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { composeAthena } from '../../lib/background/reports/athena/compose.ts';
import { readEnvironment } from '../../lib/core/environment.ts';
import { composeFiles } from '../../lib/core/files/access.ts';
import type { SendMail } from '../../lib/core/mail/mail.ts';
import { email } from '../../lib/core/schema.ts';
import { composeJobs } from '../../lib/kit/jobs/compose.ts';
import { type BatchResult, runMessages } from '../../lib/kit/jobs/messages.ts';
import type { JobDependencies, Works } from '../../lib/kit/jobs/run.ts';
import { composeAccountTargets } from '../../lib/publishing/webhooks/compose-targets.ts';
import { createWorks } from '../../lib/registry.ts';

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
    mailer ??= import('../../lib/core/mail/ses.ts').then(({ createSesMailer }) => createSesMailer(sender));
    await (await mailer)(mail);
  };
}

function composeWorker(env: NodeJS.ProcessEnv) {
  const { MAIL_SENDER: sender, API_URL: baseUrl, EVENT_TARGETS } = readEnvironment(environment, env);
  const sendMail = sender === undefined ? undefined : mailerFrom(sender);
  const account = EVENT_TARGETS === undefined ? undefined : composeAccountTargets(EVENT_TARGETS, env);
  const works = createWorks({ sendMail, baseUrl, account });
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
