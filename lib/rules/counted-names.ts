import * as v from 'valibot';
import { dateTime } from '../core/schema.ts';

/** Says which limits a campaign or a code counts, and how far the redemptions of before are counted. */

const countedName = v.object({
  /** From then on redemptions count by themselves. */
  since: dateTime,
  /** BEGUN: earlier redemptions are being counted. WALKED: they are, except those that were under way at `since`. */
  state: v.picklist(['BEGUN', 'WALKED', 'DONE']),
  /** The place in the list of redemptions up to which they are counted. */
  at: v.optional(v.string()),
  /** The job that counts them, where they are more than a request counts. */
  job: v.optional(v.string()),
});

export type CountedName = v.InferOutput<typeof countedName>;

/** By the names of rules. */
export const countedNames = v.record(v.string(), countedName);

export type CountedNames = v.InferOutput<typeof countedNames>;
