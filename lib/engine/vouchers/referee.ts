import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { dateTime, metadata } from '#kernel/core/schema.ts';
import { removeStoredChild } from '#kernel/kit/deletion/children.ts';
import { type Effect, insert, remove } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keyOf, readKinds } from '#kernel/table/keys.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { placeInList } from '#kernel/table/listing.ts';
import { heldVouchers, holdings } from './held-card.ts';
import { vouchers, voucherType } from './voucher.ts';

/** Stores a customer that a referral code was assigned to. The referrer of the code is another customer. */
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

/** Stores referees next to their code, in the order of their assignment. A code may have hundreds. */
export const referees = childKind(vouchers, kinds.referee, refereeItem);

/** Returns the referee next to the customer, and in the list of the customer's holdings. */
export function buildRefereeHolding(projectId: string, referee: Referee): { key: ItemKey; item: Attributes } {
  const { id, voucher_id, voucher_type, campaign_id, customer_id, created_at } = referee;
  const of = defined({ campaign_id });
  return {
    key: heldVouchers(projectId, customer_id, voucher_id),
    item: {
      voucher_id,
      ...of,
      referee: id,
      ...placeInList(holdings, [projectId, customer_id], [id]),
      listed: { id, voucher_id, voucher_type, created_at, ...of, is_referral_code: true, holder_role: 'REFEREE' },
    },
  };
}

/** Assigns a referral code to a customer. `taken` is the error for a customer that already holds the code. */
export function assignReferee(projectId: string, referee: Referee, taken: () => Error): Effect[] {
  const { key, item } = buildRefereeHolding(projectId, referee);
  return [insert(referees(projectId, referee.voucher_id, referee.id), referee), insert(key, item, taken)];
}

/** Removes a child of a voucher. For a referee it also removes the holding of the customer. */
export function removeChild(projectId: string, voucherId: string, child: Attributes): Effect[] {
  const removal = removeStoredChild(vouchers(projectId, voucherId), child);
  if (readKinds(keyOf(child)).kind !== referees.kind) return [removal];
  const holding = heldVouchers(projectId, v.parse(refereeItem, child).customer_id, voucherId);
  return [removal, remove(holding, (update) => update)];
}
