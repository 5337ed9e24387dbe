import * as v from 'valibot';
import { integer } from '../core/schema.ts';

const figure = v.optional(integer);

/** Counts a customer's redemptions as they happen, beside the figures that a project file brought. */
export const redemptionFigures = v.object({
  redemptions_succeeded: figure,
  redemptions_failed: figure,
  rollbacks_succeeded: figure,
  rollbacks_failed: figure,
  /** Sums redeemed money of gift cards, in minor currency units, and redeemed points. Rollbacks are subtracted. */
  credits_redeemed: figure,
  points_redeemed: figure,
  /** Counts redemptions of both kinds of cards that were not rolled back. */
  cards_redeemed: figure,
});

export type RedemptionFigures = v.InferOutput<typeof redemptionFigures>;

/** Shows how often the customer redeemed or tried to, and how often redemptions were rolled back. */
export const redemptionTotals = v.object({
  total_redeemed: integer,
  total_failed: integer,
  total_succeeded: integer,
  total_rolled_back: integer,
  total_rollback_failed: integer,
  total_rollback_succeeded: integer,
});

export const redemptionTotalNames = v.keyof(redemptionTotals).options;

type RedemptionTotals = v.InferOutput<typeof redemptionTotals>;

/**
 * Adds counted redemptions to the figures of a project file. Without such figures, the cards tell how often they were redeemed
 * earlier. Their counted redemptions are no earlier ones.
 */
export function summariseRedemptions(
  before: (figure: keyof RedemptionTotals) => number | undefined,
  counted: RedemptionFigures,
  { ofCards }: { ofCards: number },
): RedemptionTotals {
  const { redemptions_succeeded = 0, redemptions_failed = 0, cards_redeemed = 0 } = counted;
  const { rollbacks_succeeded = 0, rollbacks_failed = 0 } = counted;
  const earlier = Math.max(0, ofCards - cards_redeemed);
  return {
    total_redeemed: (before('total_redeemed') ?? earlier) + redemptions_succeeded + redemptions_failed,
    total_failed: (before('total_failed') ?? 0) + redemptions_failed,
    total_succeeded: (before('total_succeeded') ?? earlier) + redemptions_succeeded,
    total_rolled_back: (before('total_rolled_back') ?? 0) + rollbacks_succeeded,
    total_rollback_failed: (before('total_rollback_failed') ?? 0) + rollbacks_failed,
    total_rollback_succeeded: (before('total_rollback_succeeded') ?? 0) + rollbacks_succeeded,
  };
}
