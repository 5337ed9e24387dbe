import * as v from 'valibot';
import { placeVoucher } from '#engine/ledger/codes/voucher-lists.ts';
import { deriveTimedPart, idPrefixes } from '#kernel/core/ids.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

const ofCustomer = { kind: kinds.customer };
const held = v.object({
  voucher_id: v.string(),
  campaign_id: v.optional(v.string()),
  /** Is the referee's id if the customer is a referee of the code. Then another customer holds the code. */
  referee: v.optional(v.string()),
});

/** Finds the loyalty cards and gift vouchers of a customer. Their figures count for the customer. */
export const heldCards = childKind(ofCustomer, kinds.heldCard, held);

/** Finds the other vouchers of a customer, which are not read with the cards. */
export const heldVouchers = childKind(ofCustomer, kinds.heldVoucher, held);

/** Lists everything that a customer holds, in the order in which the holdings began. */
export const holdings = listing(listIndexes.first, 'HOLDINGS', { counted: true });

/** Holds the fields of a holding in the list. The rest comes from its voucher and its campaign. */
export const listedHolding = v.object({
  id: v.string(),
  voucher_id: v.string(),
  voucher_type: v.string(),
  created_at: v.string(),
  /** Shows the age of a holder's voucher before the voucher is read. A referee's holding does not have it. */
  voucher_created_at: v.optional(v.string()),
  campaign_id: v.optional(v.string()),
  is_referral_code: v.optional(v.boolean()),
  /** Marks a referee, a customer that a referral code was assigned to. For others the role follows from the voucher. */
  holder_role: v.optional(v.literal('REFEREE')),
});

type Held = Pick<VoucherItem, 'id' | 'type' | 'campaign_id' | 'created_at' | 'is_referral_code'>;

/** Returns the item by which a customer holds a voucher `since` a time, or from its creation. Its own id contains the time. */
export function buildHolding(
  projectId: string,
  holderId: string,
  { id: voucher_id, type, campaign_id, created_at: voucher_created_at, is_referral_code }: Held,
  since = voucher_created_at,
  id = `${idPrefixes.redeemable_holder}${deriveTimedPart(new Date(since), voucher_id.replace(/^v_/, ''))}`,
): { key: ItemKey<typeof held>; item: Attributes } {
  const ages = { created_at: since, voucher_created_at };
  const listed = { id, voucher_id, voucher_type: type, ...ages, campaign_id, is_referral_code };
  const kind = type === 'DISCOUNT_VOUCHER' ? heldVouchers : heldCards;
  return {
    key: kind(projectId, holderId, voucher_id),
    item: {
      voucher_id,
      campaign_id: campaign_id ?? undefined,
      ...placeInList(holdings, [projectId, holderId], [id]),
      listed: Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined && value !== null)),
    },
  };
}

/** Inserts a voucher that is made for its holder, with its places in lists. The stream counts it for its campaign. */
export function insertVoucher(projectId: string, item: VoucherItem): Effect {
  return insert(vouchers(projectId, item.id), {
    ...item,
    made_for_holder: true,
    // The due index finds items without their project, so the item names it.
    project_id: projectId,
    ...placeVoucher(projectId, item),
  });
}

/** Inserts a voucher that is made for its holder, with the holding. */
export function insertHeld(projectId: string, item: VoucherItem): Effect[] {
  if (!item.holder_id) throw new Error('a voucher that is created for a customer has no holder');
  const { key, item: holding } = buildHolding(projectId, item.holder_id, item);
  return [insertVoucher(projectId, item), insert(key, holding)];
}
