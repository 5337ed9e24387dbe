import * as v from 'valibot';
import { codeConfig } from '#engine/ledger/codes/code-space.ts';
import { categoryEntries, hasOneCategory, oneOfBoth } from '#engine/rules/categories/category-fields.ts';
import { gift, sentDiscount } from '#engine/rules/discounts/discount.ts';
import { areInOrder, datesOutOfOrder, validityEntries } from '#engine/rules/validity/dates.ts';
import { described } from '#kernel/core/documented.ts';
import {
  array,
  code,
  count,
  longText,
  nullable,
  object,
  reference,
  sentCount,
  sentMetadata,
} from '#kernel/core/schema.ts';
import { type VoucherItem, voucherType } from './voucher.ts';

/** A voucher has at most this many rules. The rules of its campaign apply as well. */
const maxRules = 1;

/** Callers may set these fields of a voucher, at its creation and later. */
const voucherFields = {
  ...categoryEntries,
  ...validityEntries,
  active: nullable(v.boolean()),
  additional_info: nullable(longText),
  metadata: nullable(sentMetadata),
  discount: nullable(sentDiscount),
  gift: nullable(object({ amount: v.optional(count), effect: gift.entries.effect })),
  loyalty_card: nullable(object({ points: v.optional(sentCount) })),
};

/** Callers may set these fields only at the creation, also where bodies create vouchers of a campaign. */
export const newVoucherFields = {
  ...voucherFields,
  redemption: nullable(object({ quantity: nullable(count) })),
  validation_rules: nullable(array(reference, maxRules, 'rule')),
};

const newVoucher = object({
  ...newVoucherFields,
  type: described(
    v.optional(voucherType),
    'Without it, the campaign decides the type. Without a campaign, the sent `discount`, `gift` or `loyalty_card` decides it.',
  ),
  code: described(nullable(code), 'Unique in the project. Without it, a code is generated.'),
  campaign: described(nullable(reference), "The name or id of the voucher's campaign."),
  campaign_id: described(nullable(reference), 'The id of the campaign. It wins over `campaign`.'),
  code_config: described(nullable(codeConfig), "The form of a drawn code. Without it, the campaign's form."),
});

/** Checks that depend on the campaign run in the use case. */
export const createVoucherBody = v.pipe(
  newVoucher,
  v.forward(
    v.partialCheck(
      [['type'], ['campaign'], ['campaign_id'], ['discount'], ['gift'], ['loyalty_card']],
      ({ type, campaign, campaign_id, ...content }) =>
        Boolean(type || campaign || campaign_id || content.discount || content.gift || content.loyalty_card),
      'is required without a campaign, discount, gift or loyalty_card',
    ),
    ['type'],
  ),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

/** Checks that depend on the voucher run in the use case. */
export const updateVoucherBody = v.pipe(
  object(voucherFields),
  v.forward(v.partialCheck([['category'], ['category_id']], hasOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateVoucherBody = v.InferOutput<typeof updateVoucherBody>;

export type CreateVoucherBody = v.InferOutput<typeof createVoucherBody>;

type Fields = Pick<CreateVoucherBody, keyof typeof newVoucherFields>;

/** Describes a new voucher after its campaign, category and rule were found. */
export type NewVoucher = Omit<Fields, 'category' | 'category_id'> & {
  code: string;
  type: VoucherItem['type'];
  category_id?: string | undefined;
  /** Sets the voucher to the state that it has in its original project. */
  asItStands?: (item: VoucherItem) => VoucherItem;
  /** The campaign makes the voucher, and no caller could send the metadata that a schema requires. */
  isOfNoCaller?: true;
};
