import { isDeepStrictEqual } from 'node:util';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { inheritValidity } from '#engine/rules/validity/validity.ts';
import type { CellForm } from '#kernel/kit/bulk/cell-form.ts';
import { csvError, parseMinorUnits } from '#kernel/kit/bulk/csv-cells.ts';
import { chooseType } from '../new-voucher.ts';
import type { VoucherItem } from '../voucher.ts';
import type { NewVoucher } from '../voucher-body.ts';
import type { VoucherRow } from './row.ts';
import { readRowDiscount } from './row-discount.ts';

type Described = Omit<NewVoucher, 'code' | 'category_id'>;

/** The campaign of a row, and the form of amounts in its file. */
interface Around {
  readonly campaign: CampaignTerms | undefined;
  readonly form: CellForm;
}

function readGift(row: VoucherRow, { campaign, form }: Around): Pick<Described, 'gift'> {
  const amount = row.gift_amount ?? (row.value ? parseMinorUnits(row.value, 'value', form) : undefined);
  if (amount === undefined && !campaign) throw csvError('value is required');
  return { gift: { amount, effect: row.gift_effect ?? undefined } };
}

function readCard(row: VoucherRow): Pick<Described, 'loyalty_card'> {
  if (row.value && !/^\d{1,15}$/.test(row.value)) throw csvError('value must be a whole number of points');
  return { loyalty_card: { points: row.loyalty_points ?? (row.value ? Number(row.value) : undefined) } };
}

/** A coupon of a campaign has the campaign's discount, unless its row has a different discount. */
function readCoupon(row: VoucherRow, { campaign, form }: Around): Pick<Described, 'discount'> {
  if (campaign && !row.discount_type) return {};
  const discount = readRowDiscount(row, form);
  return isDeepStrictEqual(discount, campaign?.voucher?.discount) ? {} : { discount };
}

function readContent(type: VoucherItem['type'], row: VoucherRow, around: Around) {
  if (type === 'GIFT_VOUCHER') return readGift(row, around);
  return type === 'LOYALTY_CARD' ? readCard(row) : readCoupon(row, around);
}

/** Leaves out fields that equal the campaign's, so that a later change of the campaign shows. */
function readValidity(row: VoucherRow, campaign: CampaignTerms | undefined) {
  const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = row;
  const own = { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours };
  const given = new Map<string, unknown>(Object.entries(campaign ? inheritValidity({}, campaign) : {}));
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value && !isDeepStrictEqual(value, given.get(name))),
  );
}

function readQuantity(
  { redemption_limit }: VoucherRow,
  campaign: CampaignTerms | undefined,
): number | null | undefined {
  return campaign ? redemption_limit : (redemption_limit ?? null);
}

/** Describes the new voucher of a row. A row without a switch makes an active voucher, unless its campaign has ended. */
export function describeRow(row: VoucherRow, around: Around, now: Date): Described {
  const { campaign } = around;
  const hasEnded = (campaign?.expiration_date ?? '9') < now.toISOString();
  const type = row.voucher_type ?? (campaign ? chooseType({}, campaign) : undefined);
  if (!type) throw csvError('voucher_type is required');
  if (type === 'GIFT_VOUCHER' && row.formula) throw csvError('formula must be empty in the row of a gift voucher');
  const inherited = campaign?.validation_rules_assignments?.map(({ rule_id }) => rule_id) ?? [];
  return {
    type,
    ...readValidity(row, campaign),
    active: row.active ?? !hasEnded,
    additional_info: row.additional_info,
    metadata: row.metadata,
    redemption: { quantity: readQuantity(row, campaign) },
    validation_rules: (row.validation_rules ?? []).filter((id) => !inherited.includes(id)),
    ...readContent(type, row, around),
  };
}

/** Checks the value of a row, whichever campaign or voucher it is about. */
export function checkRow(row: VoucherRow, form: CellForm): void {
  const { voucher_type: type, value, discount_type } = row;
  if (!value) return;
  if (type === 'GIFT_VOUCHER') readGift(row, { campaign: undefined, form });
  else if (type === 'LOYALTY_CARD') readCard(row);
  else if (discount_type) readRowDiscount(row, form);
}
