import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { composeJobs } from '#kernel/kit/jobs/compose.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { settleDue, sweepEachMinute } from '#registry.ts';
import { leftOutIn } from '../left-out.ts';

let composed: { dependencies: JobDependencies; leftOut: readonly string[] } | undefined;

/** Leaves time for work in progress: the longest wait of an item, and a write. */
const reserveInMs = 30_000;

const event = v.object({ only: v.literal('deliveries') });

/**
 * Lambda calls this handler on two schedules: each hour for everything that is due, and each minute for deliveries of webhooks alone. Alarms
 * read the log line in which an hourly run reports its work.
 */
export async function handler(input: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= { dependencies: composeJobs(process.env), leftOut: leftOutIn(process.env) };
  const { dependencies, leftOut } = composed;
  const isTimeUp = () => getRemainingTimeInMillis() < reserveInMs;
  if (v.is(event, input)) await sweepEachMinute(dependencies, isTimeUp, leftOut);
  else await settleDue(dependencies, isTimeUp, leftOut);
}
