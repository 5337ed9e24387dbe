import * as v from 'valibot';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { countedAhead } from '#engine/holds/stored.ts';
import { cardItem } from '#engine/ledger/card.ts';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { category } from '#engine/rules/categories/resource.ts';
import { countedNames } from '#engine/rules/counter.ts';
import { discount, gift, shownGift } from '#engine/rules/discounts/discount.ts';
import { validityDates, validityDayOfWeek, validityHours, validityTimeframe } from '#engine/rules/validity/validity.ts';
import { defined } from '#kernel/core/defined.ts';
import { named } from '#kernel/core/documented.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { count, date, dateTime, listEnvelope, metadata, nullable } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';

export const voucherType = v.picklist(['GIFT_VOUCHER', 'DISCOUNT_VOUCHER', 'LOYALTY_CARD']);

const asset = v.object({ id: v.string(), url: v.string() });

/** Shows a voucher. Most fields without a value are null. Existing clients expect the other fields to be absent. */
export const voucher = named(
  'Voucher',
  v.object({
    id: v.string(),
    code: v.string(),
    campaign: v.nullable(v.string()),
    campaign_id: v.nullable(v.string()),
    category: v.nullable(v.string()),
    category_id: v.nullable(v.string()),
    categories: v.array(category.reply),
    type: voucherType,
    discount: v.nullable(discount),
    gift: v.nullable(shownGift),
    loyalty_card: v.nullable(
      v.object({
        points: count,
        balance: count,
        next_expiration_date: v.optional(date),
        next_expiration_points: v.optional(count),
        pending_points: count,
        expired_points: v.optional(count),
        subtracted_points: v.optional(count),
      }),
    ),
    start_date: v.nullable(dateTime),
    expiration_date: v.nullable(dateTime),
    validity_timeframe: v.nullable(validityTimeframe),
    validity_day_of_week: v.nullable(validityDayOfWeek),
    validity_hours: v.optional(validityHours),
    active: v.nullable(v.boolean()),
    additional_info: v.nullable(v.string()),
    metadata,
    assets: v.object({ qr: asset, barcode: asset }),
    is_referral_code: v.nullable(v.boolean()),
    created_at: dateTime,
    /** Is `null` until the first change. */
    updated_at: v.nullable(dateTime),
    holder_id: v.optional(v.string()),
    referrer_id: v.optional(v.string()),
    object: v.literal('voucher'),
    publish: v.object({ object: v.literal('list'), count, url: v.string() }),
    redemption: v.object({
      quantity: v.nullable(count),
      redeemed_quantity: count,
      redeemed_points: v.optional(count),
      redeemed_amount: v.optional(count),
      object: v.literal('list'),
      url: v.string(),
    }),
    validation_rules_assignments: listEnvelope(validationRulesAssignment),
  }),
);

export type Voucher = v.InferOutput<typeof voucher>;

/** Shows a voucher in the reply that redeems it, rolls it back or adds it to a campaign. Some fields are absent instead of null. */
export const partialVoucher = named(
  'PartialVoucher',
  v.object({
    ...voucher.entries,
    discount: v.optional(discount),
    validity_timeframe: v.optional(validityTimeframe),
    validity_day_of_week: v.optional(validityDayOfWeek),
  }),
);

export type PartialVoucher = v.InferOutput<typeof partialVoucher>;

/** Leaves out the fields that such a reply does not show as null. */
export function presentPartly({
  discount,
  validity_timeframe,
  validity_day_of_week,
  ...voucher
}: Voucher): PartialVoucher {
  return {
    ...voucher,
    ...defined({
      discount: discount ?? undefined,
      validity_timeframe: validity_timeframe ?? undefined,
      validity_day_of_week: validity_day_of_week ?? undefined,
    }),
  };
}

/**
 * Stores a voucher: its definition, and separately the figures that move. Loading a project file again sets the
 * definition and leaves the figures unchanged. Reads inherit absent fields from the campaign. The ledger's part defines
 * the balance of loyalty cards.
 */
export const voucherItem = v.object({
  ...cardItem.entries,
  type: voucherType,
  category_id: nullable(v.string()),
  discount: nullable(discount),
  gift: nullable(v.object({ amount: gift.entries.amount, effect: gift.entries.effect })),
  ...validityDates,
  additional_info: nullable(v.string()),
  metadata: v.optional(metadata, {}),
  is_referral_code: nullable(v.boolean()),
  referrer_id: nullable(v.string()),
  /** The id at the service that the voucher was copied from. Paths accept it. */
  former_id: nullable(v.string()),
  redemption_quantity: nullable(count),
  validation_rules_assignments: v.optional(v.array(validationRulesAssignment), []),
  publish_count: v.optional(count, 0),
  /** Names the publications that gave the voucher to a holder. It has several if a holder was deleted. */
  publication_ids: v.optional(v.array(v.string())),
  /** Holds the metadata of the last publication, for formulas. Is absent without metadata, and without a discount. */
  publication_metadata: v.optional(metadata),
  redeemed_quantity: v.optional(count, 0),
  /**
   * Counts the uses that rollbacks gave back. It only grows, so that it distinguishes a new last use from an earlier
   * use.
   */
  returned_quantity: v.optional(count, 0),
  ...countedAhead,
  /** Names its own limits that its redemptions count (`lib/engine/checkout/redemptions/open-counters.ts`). */
  counted_limits: v.optional(countedNames),
  redeemed_amount: v.optional(count, 0),
  /** Is set by the first redemption, and stays after a rollback, because a customer knows the code. */
  was_redeemed: v.optional(v.boolean()),
  /** Counts the minor currency units that are left on a gift voucher. */
  gift_balance: v.optional(count),
  /** Counts the minor currency units that were credited in addition to the first amount. */
  gift_credited: v.optional(count, 0),
});

export type VoucherItem = v.InferOutput<typeof voucherItem>;

/** A change of a voucher. */
export type VoucherUpdate = Update<typeof voucherItem>;

export const vouchers = kind(kinds.voucher, voucherItem);

/**
 * Returns the figures of a gift voucher. The amount is the total that the voucher was ever worth, and the balance is
 * the rest. The subtracted amount is the part that was lost without a redemption, if any.
 */
export function giftFigures({ gift, gift_balance, gift_credited, redeemed_amount }: VoucherItem): Voucher['gift'] {
  if (!gift) return null;
  const amount = gift.amount + gift_credited;
  const balance = gift_balance ?? gift.amount;
  const subtracted = amount - balance - redeemed_amount;
  return { ...gift, amount, balance, ...(subtracted > 0 ? { subtracted_amount: subtracted } : {}) };
}

/** Leads from the id that a voucher had at another service to its id here. */
export const formerVouchers = kind(kinds.formerVoucher, v.object({ voucher_id: v.string() }));

type Context = Pick<Reading, 'table' | 'project'>;

/** Returns the stored voucher that had this id at another service. Reads nothing for other texts, such as mistyped codes. */
export async function readByFormerId({ table, project }: Context, id: string): Promise<Attributes | undefined> {
  if (!id.startsWith(idPrefixes.voucher)) return undefined;
  const { former } = await read(table, { former: formerVouchers(project.id, id) });
  if (!former) return undefined;
  const [item] = await table.getMany([vouchers(project.id, former.voucher_id)]);
  return item;
}

export async function findByFormerId(context: Context, id: string): Promise<VoucherItem | undefined> {
  const item = await readByFormerId(context, id);
  return item && parseStored(voucherItem, item);
}

/** Returns true for every voucher of a referral programme. Otherwise the voucher's own flag wins over its campaign's. */
export function isReferralCode(
  item: Pick<VoucherItem, 'is_referral_code'>,
  campaign: CampaignTerms | undefined,
): boolean | null {
  if (campaign?.campaign_type === 'REFERRAL_PROGRAM') return true;
  return item.is_referral_code ?? campaign?.voucher?.is_referral_code ?? null;
}
