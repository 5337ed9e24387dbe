import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { compose, readEnvironment } from '../lib/composition.ts';
import { sesMailer } from '../lib/outbox/ses.ts';
import { type BatchResult, processRecords, type WorkerDependencies } from '../lib/outbox/worker.ts';
import { email } from '../lib/schema.ts';

const environment = v.object({
  /** Without it no mail is sent. */
  MAIL_SENDER: v.optional(email),
});

let composed: WorkerDependencies | undefined;

function composeWorker(env: NodeJS.ProcessEnv): WorkerDependencies {
  const { MAIL_SENDER: sender } = readEnvironment(environment, env);
  return { ...compose(env), ...(sender === undefined ? {} : { sendMail: sesMailer(sender) }) };
}

/** What Lambda calls with records of the table's stream. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<BatchResult> {
  composed ??= composeWorker(process.env);
  return processRecords(Records, composed);
}
