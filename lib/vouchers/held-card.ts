import * as v from 'valibot';
import { idPrefixes, timedPartOf } from '../core/ids.ts';
import { voucherPlaces } from '../ledger/codes/voucher-lists.ts';
import { type Effect, insert } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { childKind, type ItemKey } from '../table/kind.ts';
import { listIndexes, listing, placed } from '../table/listing.ts';
import { type VoucherItem, vouchers } from './voucher.ts';

const ofCustomer = { kind: 'CUSTOMER' };
const held = v.object({
  voucher_id: v.string(),
  campaign_id: v.optional(v.string()),
  /** The id of the holding, of a referee of the code: somebody else is its holder. */
  referee: v.optional(v.string()),
});

/** By which a customer is found to hold a loyalty card or a gift voucher, whose figures are theirs. */
export const heldCards = childKind(ofCustomer, 'HELD_CARD', held);

/** And any other voucher, which is not read with them. */
export const heldVouchers = childKind(ofCustomer, 'HELD_VOUCHER', held);

/** All that a customer holds, in the order in which they came to hold it. */
export const holdings = listing(listIndexes.first, 'HOLDINGS', { counted: true });

/** What the list has of a holding; the rest is its voucher's and its campaign's. */
export const listedHolding = v.object({
  id: v.string(),
  voucher_id: v.string(),
  voucher_type: v.string(),
  created_at: v.string(),
  /** Of a voucher that is theirs by being its holder: vouchers are told apart by age before they are read. */
  voucher_created_at: v.optional(v.string()),
  campaign_id: v.optional(v.string()),
  is_referral_code: v.optional(v.boolean()),
  /** Of one whom a referral code was assigned to; of anybody else, it follows from the voucher. */
  holder_role: v.optional(v.literal('REFEREE')),
});

type Held = Pick<VoucherItem, 'id' | 'type' | 'campaign_id' | 'created_at' | 'is_referral_code'>;

/** The item by which a customer holds a voucher `since` a time, without one from the start, under an id that says so. */
export function heldItem(
  projectId: string,
  holderId: string,
  { id: voucher_id, type, campaign_id, created_at: voucher_created_at, is_referral_code }: Held,
  since = voucher_created_at,
): { key: ItemKey<typeof held>; item: Attributes } {
  const id = `${idPrefixes.redeemable_holder}${timedPartOf(new Date(since), voucher_id.replace(/^v_/, ''))}`;
  const ages = { created_at: since, voucher_created_at };
  const listed = { id, voucher_id, voucher_type: type, ...ages, campaign_id, is_referral_code };
  const kind = type === 'DISCOUNT_VOUCHER' ? heldVouchers : heldCards;
  return {
    key: kind(projectId, holderId, voucher_id),
    item: {
      voucher_id,
      campaign_id: campaign_id ?? undefined,
      ...placed(holdings, [projectId, holderId], [id]),
      listed: Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined && value !== null)),
    },
  };
}

/** Inserts a voucher that is made for its holder, with its places in lists; its campaign counts it behind the write. */
export function insertVoucher(projectId: string, item: VoucherItem): Effect {
  return insert(vouchers(projectId, item.id), {
    ...item,
    made_for_holder: true,
    // What is due is found without a project.
    project_id: projectId,
    ...voucherPlaces(projectId, item),
  });
}

/** Inserts a voucher that is made for its holder, and theirs from the start. */
export function insertHeld(projectId: string, item: VoucherItem): Effect[] {
  if (!item.holder_id) throw new Error('a voucher that is made for somebody has no holder');
  const { key, item: holding } = heldItem(projectId, item.holder_id, item);
  return [insertVoucher(projectId, item), insert(key, holding)];
}
