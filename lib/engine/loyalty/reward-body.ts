import * as v from 'valibot';
import { described, shownAs } from '#kernel/core/documented.ts';
import { identifier, nullable, object, reference, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import { exchangeRatio, parametersByType, pointsRatio, rewardAttributes, rewardTypes } from './reward.ts';
import { sentPoints } from './sent-points.ts';

/** A number, also as text, because some clients send `"0.5"` for `0.5`. */
const sentRatio = shownAs(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value)),
    v.number(),
    v.gtValue(0, 'must be above 0'),
    v.maxValue(1e9, 'must be 1000000000 or less'),
  ),
  { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'string' }] },
);

const parameters = v.pipe(
  object({
    campaign: described(
      v.optional(object({ id: identifier, balance: nullable(sentCount) })),
      'A code, credits or points of a campaign. Send `balance` only for a GIFT_VOUCHERS campaign (credits) or a ' +
        'LOYALTY_PROGRAM (points).',
    ),
    product: described(
      v.optional(object({ id: identifier, sku_id: nullable(reference) })),
      'A product, or one of its SKUs.',
    ),
    coin: described(
      v.optional(
        object({ exchange_ratio: exchangeRatio(sentRatio), points_ratio: pointsRatio(v.optional(sentPoints, 1)) }),
      ),
      'A discount on an order, which members pay with points.',
    ),
  }),
  v.check(
    (sent) => Object.values(parametersByType).filter((name) => sent[name] !== undefined).length === 1,
    'must have one of campaign, product, coin',
  ),
);

export type SentParameters = v.InferOutput<typeof parameters>;

/** Returns the type of reward with such parameters. */
export function readRewardType(sent: SentParameters): v.InferOutput<typeof rewardTypes> {
  return sent.campaign ? 'CAMPAIGN' : sent.product ? 'MATERIAL' : 'COIN';
}

const entries = {
  name: identifier,
  parameters,
  stock: described(nullable(sentCount), 'The total number of a MATERIAL reward. `null` means no limit.'),
  attributes: described(nullable(rewardAttributes), 'The texts and pictures that a shop shows.'),
  metadata: nullable(sentMetadata),
};

export const createRewardBody = v.pipe(
  object({
    ...entries,
    type: described(nullable(rewardTypes), 'The type of the reward. It must match `parameters`, and can be left out.'),
  }),
  v.forward(
    v.check(
      ({ type, parameters }) => !type || type === readRewardType(parameters),
      'must be what parameters say: CAMPAIGN of a campaign, MATERIAL of a product, COIN of a coin',
    ),
    ['type'],
  ),
  v.forward(
    v.check(
      ({ parameters, stock }) => typeof stock !== 'number' || parameters.product !== undefined,
      'must be left out, unless the reward is of type MATERIAL',
    ),
    ['stock'],
  ),
);

/** Changes a reward. Its type never changes. */
export const updateRewardBody = object(v.partial(v.object(entries)).entries);
