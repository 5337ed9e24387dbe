import * as v from 'valibot';
import { dateTime, metadata } from '../core/schema.ts';
import { removalOf } from '../kit/deletion/children.ts';
import { type Effect, insert, remove } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { keyOf, kindsOf } from '../table/keys.ts';
import { childKind, type ItemKey } from '../table/kind.ts';
import { placed } from '../table/listing.ts';
import { heldVouchers, holdings } from './held-card.ts';
import { vouchers, voucherType } from './voucher.ts';

/** Customers whom a referral code was assigned to besides the one who shares it. */
export const refereeItem = v.object({
  id: v.string(),
  voucher_id: v.string(),
  code: v.string(),
  voucher_type: voucherType,
  campaign_id: v.optional(v.string()),
  customer_id: v.string(),
  created_at: dateTime,
  metadata: v.optional(metadata),
});

export type Referee = v.InferOutput<typeof refereeItem>;

/** Beside their code, in the order of their assignment: hundreds of one code. */
export const referees = childKind(vouchers, 'REFEREE', refereeItem);

/** The same beside the customer, and in the list of what they hold. */
export function refereeHolding(projectId: string, referee: Referee): { key: ItemKey; item: Attributes } {
  const { id, voucher_id, voucher_type, campaign_id, customer_id, created_at } = referee;
  const of = campaign_id === undefined ? {} : { campaign_id };
  return {
    key: heldVouchers(projectId, customer_id, voucher_id),
    item: {
      voucher_id,
      ...of,
      referee: id,
      ...placed(holdings, [projectId, customer_id], [id]),
      listed: { id, voucher_id, voucher_type, created_at, ...of, is_referral_code: true, holder_role: 'REFEREE' },
    },
  };
}

/** `taken`: the error where the customer is a holder of the code already. */
export function assignEffects(projectId: string, referee: Referee, taken: () => Error): Effect[] {
  const { key, item } = refereeHolding(projectId, referee);
  return [insert(referees(projectId, referee.voucher_id, referee.id), referee), insert(key, item, taken)];
}

/** Takes a child of a voucher away, and of a referee also what stands beside the customer. */
export function childGone(projectId: string, voucherId: string, child: Attributes): Effect[] {
  const removal = removalOf(vouchers(projectId, voucherId), child);
  if (kindsOf(keyOf(child)).kind !== referees.kind) return [removal];
  const holding = heldVouchers(projectId, v.parse(refereeItem, child).customer_id, voucherId);
  return [removal, remove(holding, (update) => update)];
}
