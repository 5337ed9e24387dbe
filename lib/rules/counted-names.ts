import * as v from 'valibot';
import { dateTime } from '../core/schema.ts';

/** Tells which limits a campaign or a code counts, and the progress of counting earlier redemptions. */

const countedName = v.object({
  /** Redemptions count by themselves from then on. */
  since: dateTime,
  /** BEGUN: earlier redemptions are being counted. WALKED: they are counted, except those under way at `since`. */
  state: v.picklist(['BEGUN', 'WALKED', 'DONE']),
  /** The place in the list of redemptions up to which they are counted. */
  at: v.optional(v.string()),
  /** The job that counts them, if they are too many for a request. */
  job: v.optional(v.string()),
});

export type CountedName = v.InferOutput<typeof countedName>;

/** The progress by the names of rules. */
export const countedNames = v.record(v.string(), countedName);

export type CountedNames = v.InferOutput<typeof countedNames>;
