import * as v from 'valibot';
import { count, dateTime } from '../../core/schema.ts';
import { lot } from '../../ledger/lots.ts';
import { kind } from '../../table/kind.ts';

/** What a member has got for points: a MATERIAL reward waits for somebody who hands it over. */
export const rewardRedemptionItem = v.object({
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

export const rewardRedemptions = kind('REWARD_REDEMPTION', rewardRedemptionItem);

/** A redemption gets one reward, so that its id says which. */
export function rewardRedemptionId(redemptionId: string): string {
  return redemptionId.replace(/^r_/, 'rewr_');
}

/** `created_at` differs where the voucher was deleted and another one was made under its code. */
const ofVoucher = v.object({ voucher_id: v.string(), created_at: v.optional(dateTime) });

const onCard = v.object({ ...ofVoucher.entries, amount: count });

/** What a rollback needs to know of what was given: kept with the redemption. */
export const rewardGiven = v.object({
  reward_id: v.string(),
  name: v.string(),
  assignment_id: v.string(),
  reward_redemption_id: v.optional(v.string()),
  /** Points that were spent, by the days on which they would have lapsed. */
  spent: v.array(lot),
  /** Taken from the stock. */
  stock: v.optional(count),
  /** The code that was issued, or the card with what the reward put on it. Redemptions of before that was kept say it in their `reward`. */
  issued: v.optional(v.object({ ...ofVoucher.entries, amount: v.optional(count) })),
  /** Credits on a gift card that was there. */
  credits: v.optional(onCard),
  /** Points on a loyalty card that was there. */
  points: v.optional(onCard),
});

export type RewardGiven = v.InferOutput<typeof rewardGiven>;
