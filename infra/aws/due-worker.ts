import type { Context } from 'aws-lambda';
import { settleDue } from '../../lib/background/due.ts';
import { composeJobs } from '../../lib/kit/jobs/compose.ts';
import type { JobDependencies } from '../../lib/kit/jobs/run.ts';

let composed: JobDependencies | undefined;

/** For what is under way when the time is up: the longest that an item may wait for others, and a write. */
const reserveInMs = 30_000;

/** What the schedule calls. Alarms are made from the line of the log in which the run says what it has done. */
export async function handler(_event: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= composeJobs(process.env);
  await settleDue(composed, () => getRemainingTimeInMillis() < reserveInMs);
}
