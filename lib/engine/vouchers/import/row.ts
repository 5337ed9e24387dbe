import * as v from 'valibot';
import { lot } from '#engine/ledger/lots.ts';
import { sentFormula } from '#engine/rules/discounts/discount.ts';
import { validityEntries } from '#engine/rules/validity/dates.ts';
import { array, code, count, longText, nullable, object, reference, sentMetadata, text } from '#kernel/core/schema.ts';
import { type CellForm, readNumberCell } from '#kernel/kit/bulk/cell-form.ts';
import {
  ageCells,
  csvError,
  importedAges,
  importedDate,
  parseBoolean,
  parseEnd,
  parseJson,
  parseMinorUnits,
  parseStart,
  parseWholeNumber,
} from '#kernel/kit/bulk/csv-cells.ts';
import { voucherType } from '../voucher.ts';

/** Names the columns of a file of vouchers: every column that an export writes, and some more. */

const maxRules = 20;
const maxLots = 1_000;

/** Maps titles in small letters to the fields of a row. Two titles of one field are two names of one column. */
export const voucherColumns = {
  id: 'id',
  code: 'code',
  category: 'category',
  active: 'active',
  'start date': 'start_date',
  'expiration date': 'expiration_date',
  'validity timeframe interval': 'validity_timeframe.interval',
  'validity timeframe duration': 'validity_timeframe.duration',
  'validity day of week': 'validity_day_of_week',
  'validity hours': 'validity_hours',
  'voucher type': 'voucher_type',
  value: 'value',
  'discount type': 'discount_type',
  'discount effect': 'discount_effect',
  'discount unit type': 'discount_unit_type',
  'discount unit effect': 'discount_unit_effect',
  'discount units': 'discount_units',
  'discount amount limit': 'discount_amount_limit',
  'discount aggregated amount limit': 'discount_aggregated_amount_limit',
  formula: 'formula',
  'gift amount': 'gift_amount',
  'gift balance': 'gift_balance',
  'gift effect': 'gift_effect',
  'loyalty points': 'loyalty_points',
  'loyalty balance': 'loyalty_balance',
  'loyalty lots': 'loyalty_lots',
  'expired points': 'expired_points',
  'redemption limit': 'redemption_limit',
  'redemption quantity': 'redemption_limit',
  'redeemed quantity': 'redeemed_quantity',
  'redemption count': 'redeemed_quantity',
  'redeemed amount': 'redeemed_amount',
  'redeemed points': 'redeemed_points',
  'validation rule id': 'validation_rules',
  'validation rules id': 'validation_rules',
  'additional info': 'additional_info',
  campaign: 'campaign',
  'campaign id': 'campaign_id',
  'customer id': 'customer_id',
  'customer source id': 'customer_source_id',
  'publish count': 'publish_count',
  'is referral code': 'is_referral_code',
  'created at': 'created_at',
  'updated at': 'updated_at',
} as const;

/** An import ignores these columns, because they follow from the code. */
export const derived = ['qr code', 'bar code', 'publication ids'];

/** Reads rule ids, separated by blanks. */
function readRuleIds(cell: string): string[] {
  return cell.split(/\s+/).filter((id) => id !== '');
}

export const values = {
  ...ageCells,
  start_date: parseStart,
  expiration_date: parseEnd,
  /** The kind of voucher defines what the number means. */
  value: (cell: string, _: string, form: CellForm) => readNumberCell(cell, form),
  active: parseBoolean,
  validity_day_of_week: parseJson,
  validity_hours: parseJson,
  discount_units: parseJson,
  discount_amount_limit: parseMinorUnits,
  discount_aggregated_amount_limit: parseMinorUnits,
  gift_amount: parseMinorUnits,
  gift_balance: parseMinorUnits,
  loyalty_points: parseWholeNumber,
  loyalty_balance: parseWholeNumber,
  loyalty_lots: parseJson,
  expired_points: parseWholeNumber,
  redemption_limit: parseWholeNumber,
  redeemed_quantity: parseWholeNumber,
  redeemed_amount: parseMinorUnits,
  redeemed_points: parseWholeNumber,
  validation_rules: readRuleIds,
  publish_count: parseWholeNumber,
  is_referral_code: parseBoolean,
};

export const row = object({
  /** Must belong to the code, if the project has a voucher with this id. */
  id: nullable(reference),
  code,
  category: nullable(reference),
  active: nullable(v.boolean()),
  ...validityEntries,
  start_date: importedDate,
  expiration_date: importedDate,
  voucher_type: nullable(voucherType),
  value: nullable(text),
  discount_type: nullable(text),
  discount_effect: nullable(text),
  discount_unit_type: nullable(text),
  discount_unit_effect: nullable(text),
  /** Holds a list of kinds of units. The discount checks it. */
  discount_units: v.optional(v.unknown()),
  discount_amount_limit: nullable(count),
  discount_aggregated_amount_limit: nullable(count),
  formula: nullable(sentFormula),
  gift_amount: nullable(count),
  gift_balance: nullable(count),
  gift_effect: nullable(v.picklist(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'])),
  loyalty_points: nullable(count),
  loyalty_balance: nullable(count),
  loyalty_lots: nullable(array(lot, maxLots, 'lots')),
  expired_points: nullable(count),
  redemption_limit: nullable(count),
  redeemed_quantity: nullable(count),
  redeemed_amount: nullable(count),
  redeemed_points: nullable(count),
  validation_rules: nullable(array(reference, maxRules, 'rules')),
  additional_info: nullable(longText),
  campaign: nullable(reference),
  campaign_id: nullable(reference),
  customer_id: nullable(reference),
  customer_source_id: nullable(reference),
  publish_count: nullable(count),
  is_referral_code: nullable(v.boolean()),
  ...importedAges,
  metadata: v.optional(sentMetadata),
});

export type VoucherRow = v.InferOutput<typeof row>;

/** Returns the value of a column that the row must have. */
export function requireValue(value: string | null | undefined, name: string): string {
  if (!value) throw csvError(`${name} is required`);
  return value;
}
