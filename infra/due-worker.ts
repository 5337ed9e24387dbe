import type { Context } from 'aws-lambda';
import { compose, type Dependencies } from '../lib/composition.ts';
import { settleDue } from '../lib/loyalty/due.ts';

let composed: Dependencies | undefined;

/** For what is under way when the time is up: the longest that an item may wait for others, and a write. */
const reserveInMs = 30_000;

/** What the schedule calls. */
export async function handler(_event: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= compose(process.env);
  const { failed } = await settleDue(composed, () => getRemainingTimeInMillis() < reserveInMs);
  // Only now, so that what fails keeps nothing else from being done: it rings the alarm.
  if (failed > 0) throw new Error(`${failed} items that are due could not be settled: the log tells which`);
}
