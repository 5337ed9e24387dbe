import * as v from 'valibot';
import { lot } from '#engine/ledger/lots.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';

/** The rewards that members got for points. A MATERIAL reward must be handed over. */
const rewardRedemptionItem = v.object({
  id: v.string(),
  reward_id: v.string(),
  assignment_id: v.string(),
  redemption_id: v.string(),
  voucher_id: v.string(),
  customer_id: v.optional(v.string()),
  status: v.picklist(['PENDING', 'COMPLETED', 'ROLLED_BACK']),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
});

export const rewardRedemptions = kind(kinds.rewardRedemption, rewardRedemptionItem);

/** Keys a reward by its redemption, which gets one reward. */
export function rewardRedemptionId(redemptionId: string): string {
  return redemptionId.replace(/^r_/, 'rewr_');
}

/** `created_at` differs if the voucher was deleted and its code given to a new voucher. */
const ofVoucher = v.object({ voucher_id: v.string(), created_at: v.optional(dateTime) });

const onCard = v.object({ ...ofVoucher.entries, amount: count });

/** The data that a rollback needs of the reward, stored with the redemption. */
export const rewardGiven = v.object({
  reward_id: v.string(),
  name: v.string(),
  assignment_id: v.string(),
  reward_redemption_id: v.optional(v.string()),
  /** The spent points, by their days of expiration. */
  spent: v.array(lot),
  /** The pieces that were taken from the stock. */
  stock: v.optional(count),
  /** The issued code, or the card with the reward's balance. Older redemptions only have it in their `reward`. */
  issued: v.optional(v.object({ ...ofVoucher.entries, amount: v.optional(count) })),
  /** Credits on an existing gift card. */
  credits: v.optional(onCard),
  /** Points on an existing loyalty card. */
  points: v.optional(onCard),
});

export type RewardGiven = v.InferOutput<typeof rewardGiven>;
