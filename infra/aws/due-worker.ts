import type { Context } from 'aws-lambda';
import { settleDue } from '../../lib/background/due.ts';
import { composeJobs } from '../../lib/kit/jobs/compose.ts';
import type { JobDependencies } from '../../lib/kit/jobs/run.ts';

let composed: JobDependencies | undefined;

/** Leaves time for work in progress: the longest wait of an item, and a write. */
const reserveInMs = 30_000;

/** Lambda calls this handler on schedule. Alarms read the log line in which a run reports its work. */
export async function handler(_event: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= composeJobs(process.env);
  await settleDue(composed, () => getRemainingTimeInMillis() < reserveInMs);
}
