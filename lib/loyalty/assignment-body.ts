import * as v from 'valibot';
import { described } from '../core/documented.ts';
import { array, identifier, nullable, object } from '../core/schema.ts';
import { sentPoints } from './sent-points.ts';

const price = object({
  points: described(sentPoints, 'The cost of the reward.'),
  auto_redeem: described(
    nullable(v.boolean()),
    'Says whether members get the reward automatically, each time they have enough points. A programme can have ' +
      'one such reward.',
  ),
});

export type Price = v.InferOutput<typeof price>;

const terms = {
  parameters: described(
    nullable(object({ loyalty: nullable(price) })),
    'The parameters of the assignment. A COIN reward has none.',
  ),
  validation_rules: described(nullable(array(identifier, 1)), 'The rule for paying with points, for a COIN reward.'),
};

const termsBody = object(terms);

/** The price of a reward in a programme. */
export type RewardTerms = v.InferOutput<typeof termsBody>;

export const assignRewardBody = object({
  campaign: described(identifier, 'The id of a loyalty programme.'),
  ...terms,
});

/** Limits the assignments of a request. Each takes up to five items of its transaction. */
const maxAssigned = 15;

export const assignRewardsBody = v.pipe(
  array(object({ reward: identifier, ...terms }), maxAssigned),
  v.minLength(1, 'must have a reward'),
  v.check((all) => new Set(all.map(({ reward }) => reward)).size === all.length, 'must name each reward once'),
);

export const changeAssignmentBody = object({ parameters: object({ loyalty: v.optional(price) }) });

export type ChangeAssignmentBody = v.InferOutput<typeof changeAssignmentBody>;
