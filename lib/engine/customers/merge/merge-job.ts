import * as v from 'valibot';
import { actionItem } from '#kernel/kit/jobs/action.ts';

/** Is an async action that moves everything of a merged customer. `about` is the customer that it was merged into. */
export const mergeJobItem = v.object({
  ...actionItem.entries,
  from: v.string(),
  /** Moves the points of a card to the other customer's card of the same programme, if members join it once. */
  move_points: v.optional(v.boolean(), false),
  /** Counts the walks that found nothing left. */
  clean_walks: v.optional(v.number(), 0),
});

export type MergeJob = v.InferOutput<typeof mergeJobItem>;
