import * as v from 'valibot';

/** Attributes that counted items and records have for holds. */

/** Marks that the counts of an item may include uses that no redemption has committed yet (`committed-uses.ts`). */
export const countedAhead = { blocks_until: v.optional(v.string()) };

/**
 * The numbers of a record's holds, by their items. They distinguish a hold from its late repetition after the hold has
 * been settled.
 */
export const heldNumbers = v.optional(v.record(v.string(), v.number()));
