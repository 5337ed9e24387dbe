import * as v from 'valibot';
import { sentTierChange } from '#engine/campaigns/programme.ts';
import { described } from '#kernel/core/documented.ts';
import { array, identifier, nullable, object, record, sentInteger, sentMetadata } from '#kernel/core/schema.ts';

/** Limits the tiers of a request. A single transaction creates them, and checks the objects that they name. */
const maxAtOnce = 30;

/** Limits the tiers of one programme. Each event and each change of a card reads all. */
export const maxTiers = 50;

/** Both bounds are included. */
const pointsRange = v.pipe(
  object({
    from: described(
      v.optional(sentInteger),
      'The lowest number of points of the tier. Without it, the tier begins at 0.',
    ),
    to: v.optional(sentInteger),
  }),
  v.check(({ from = 0, to = from }) => to >= from, 'must have a to that is not below from'),
);

const newTier = object({
  name: identifier,
  points: pointsRange,
  earning_rules: nullable(record(sentTierChange)),
  rewards: nullable(record(sentTierChange)),
  metadata: nullable(sentMetadata),
});

export type NewTier = v.InferOutput<typeof newTier>;

export const createTiersBody = array(newTier, maxAtOnce, 'tiers');
