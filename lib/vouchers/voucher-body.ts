import * as v from 'valibot';
import { described } from '../core/documented.ts';
import { array, code, count, longText, nullable, object, reference, sentCount, sentMetadata } from '../core/schema.ts';
import { codeConfig } from '../ledger/codes/code-space.ts';
import { categoryEntries, namesOneCategory, oneOfBoth } from '../rules/categories/choice.ts';
import { gift, sentDiscount } from '../rules/discounts/discount.ts';
import { areInOrder, datesOutOfOrder, validityEntries } from '../rules/validity/dates.ts';
import { type VoucherItem, voucherType } from './voucher.ts';

/** Of one voucher; those of its campaign hold besides. */
const maxRules = 1;

/** What a caller may say of a voucher, at its creation and later. */
export const voucherFields = {
  ...categoryEntries,
  ...validityEntries,
  active: nullable(v.boolean()),
  additional_info: nullable(longText),
  metadata: nullable(sentMetadata),
  discount: nullable(sentDiscount),
  gift: nullable(object({ amount: v.optional(count), effect: gift.entries.effect })),
  loyalty_card: nullable(object({ points: v.optional(sentCount) })),
};

/** And once, when it is made; also where others make vouchers of a campaign. */
export const newVoucherFields = {
  ...voucherFields,
  redemption: nullable(object({ quantity: nullable(count) })),
  validation_rules: nullable(array(reference, maxRules, 'rule')),
};

const newVoucher = object({
  ...newVoucherFields,
  type: described(
    v.optional(voucherType),
    'Without it, that of the vouchers of the campaign, else the one that has what is sent of `discount`, `gift` and `loyalty_card`.',
  ),
  code: described(nullable(code), 'Unique in the project. Without one, it is drawn.'),
  campaign: described(nullable(reference), 'Name or id of the campaign that the voucher is of.'),
  campaign_id: described(nullable(reference), 'The same by id; it wins over `campaign`.'),
  code_config: described(nullable(codeConfig), 'How a code that is drawn looks; otherwise as the campaign says.'),
});

/** What depends on the campaign is checked in the use case. */
export const createVoucherBody = v.pipe(
  newVoucher,
  v.forward(
    v.partialCheck(
      [['type'], ['campaign'], ['campaign_id'], ['discount'], ['gift'], ['loyalty_card']],
      ({ type, campaign, campaign_id, ...content }) =>
        Boolean(type || campaign || campaign_id || content.discount || content.gift || content.loyalty_card),
      'is required where neither a campaign nor discount, gift or loyalty_card says it',
    ),
    ['type'],
  ),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

/** What depends on the voucher is checked in the use case. */
export const updateVoucherBody = v.pipe(
  object(voucherFields),
  v.forward(v.partialCheck([['category'], ['category_id']], namesOneCategory, oneOfBoth), ['category']),
  v.forward(v.partialCheck([['start_date'], ['expiration_date']], areInOrder, datesOutOfOrder), ['expiration_date']),
);

export type UpdateVoucherBody = v.InferOutput<typeof updateVoucherBody>;

export type CreateVoucherBody = v.InferOutput<typeof createVoucherBody>;

type Fields = Pick<CreateVoucherBody, keyof typeof newVoucherFields>;

/** A new voucher as its caller describes it; campaign, category and rule have been found. */
export type NewVoucher = Omit<Fields, 'category' | 'category_id'> & {
  code: string;
  type: VoucherItem['type'];
  category_id?: string | undefined;
  /** Puts it where it stands in the project from which it comes. */
  asItStands?: (item: VoucherItem) => VoucherItem;
};
