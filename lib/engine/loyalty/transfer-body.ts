import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { array, identifier, longText, nullable, object } from '#kernel/core/schema.ts';
import { sentPoints } from './sent-points.ts';

/**
 * A transaction accepts 100 items. Each source is a card, an entry and a claim, and the destination is a card and an
 * entry.
 */
const maxTransferEntries = 32;

export const transferBody = v.pipe(
  array(
    object({
      code: identifier,
      points: sentPoints,
      /** The merchant's transaction id, which moves points from the card only once. */
      source_id: described(
        identifier,
        "The caller's own id of the transfer. Unique for the card: no two entries have the same `code` and `source_id`.",
      ),
      reason: nullable(longText),
    }),
    maxTransferEntries,
  ),
  v.minLength(1, 'must have at least 1 entry'),
);

export type TransferEntry = v.InferOutput<typeof transferBody>[number];
