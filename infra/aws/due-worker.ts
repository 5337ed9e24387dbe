import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { sweepDeliveries } from '#addons/webhooks/sweep-deliveries.ts';
import { composeJobs } from '#kernel/kit/jobs/compose.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { settleDue } from '#registry.ts';

let composed: JobDependencies | undefined;

/** Leaves time for work in progress: the longest wait of an item, and a write. */
const reserveInMs = 30_000;

const event = v.object({ only: v.literal('deliveries') });

/**
 * Lambda calls this handler on two schedules: each hour for everything that is due, and each minute for deliveries of webhooks alone. Alarms
 * read the log line in which an hourly run reports its work.
 */
export async function handler(input: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= composeJobs(process.env);
  const isTimeUp = () => getRemainingTimeInMillis() < reserveInMs;
  if (v.is(event, input)) await sweepDeliveries(composed, isTimeUp);
  else await settleDue(composed, isTimeUp);
}
