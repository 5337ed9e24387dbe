import * as v from 'valibot';
import { type CsvBulk, csvBulk, minorUnits, refused } from '../../bulk/csv-bulk.ts';
import type { CampaignTerms } from '../../campaigns/campaign-terms.ts';
import type { Writing } from '../../context.ts';
import { describeIssues } from '../../issues.ts';
import { code, count, longText, nullable, object, reference, sentMetadata, text } from '../../schema.ts';
import { discount } from '../../terms/discount.ts';
import { typeOfNew } from '../new-voucher-faults.ts';
import type { NewVoucher } from '../voucher-body.ts';
import { type ImportedRow, importVouchers, rowsAtOnce } from './import-vouchers.ts';
import { importedDate } from './rows.ts';

/** Digits alone, as a number; anything else is refused as the text that it is. */
function wholeNumber(cell: string): unknown {
  return /^\d{1,15}$/.test(cell) ? Number(cell) : cell;
}

function trueOrFalse(cell: string): unknown {
  const known: Readonly<Record<string, boolean>> = { true: true, false: false };
  return known[cell.toLowerCase()] ?? cell;
}

/** Exports mark with an apostrophe what spreadsheets would take for a formula of theirs; none of ours begins with one. */
function unmarked(cell: string): string {
  return cell.replace(/^'/, '');
}

/** By the names of columns in small letters. */
const columns = {
  code: 'code',
  category: 'category',
  active: 'active',
  'start date': 'start_date',
  'expiration date': 'expiration_date',
  'redeemed quantity': 'redeemed_quantity',
  'redeemed amount': 'redeemed_amount',
};

const values = { active: trueOrFalse, redeemed_quantity: wholeNumber, redeemed_amount: minorUnits };

const fields = {
  code,
  category: nullable(reference),
  active: nullable(v.boolean()),
  start_date: importedDate,
  expiration_date: importedDate,
  redeemed_quantity: nullable(count),
  redeemed_amount: nullable(count),
  metadata: v.optional(sentMetadata),
};

const genericRow = object({
  ...fields,
  voucher_type: nullable(v.picklist(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER'])),
  value: nullable(text),
  discount_type: nullable(text),
  discount_effect: nullable(text),
  validation_rule_id: nullable(reference),
  redemption_limit: nullable(count),
  additional_info: nullable(longText),
  formula: nullable(longText),
});

const campaignRow = object({ ...fields, gift_amount: nullable(count), loyalty_points: nullable(count) });

type GenericRow = v.InferOutput<typeof genericRow>;
type CampaignRow = v.InferOutput<typeof campaignRow>;

function required(value: string | null | undefined, name: string): string {
  if (!value) throw refused(`${name} is required`);
  return value;
}

/** What a discount of each type is worth: the field, and how its column is read. */
const figures = new Map<string, { name: string; read: (cell: string, field: string) => unknown }>([
  ['AMOUNT', { name: 'amount_off', read: minorUnits }],
  ['FIXED', { name: 'fixed_amount', read: minorUnits }],
  ['PERCENT', { name: 'percent_off', read: Number }],
  ['UNIT', { name: 'unit_off', read: wholeNumber }],
]);

/** Whether a body says no value either, of a discount that a formula works out. */
function needsNoValue({ formula, discount_type, discount_effect }: GenericRow): boolean {
  if (!formula) return false;
  return discount_type === 'UNIT' || (discount_type === 'FIXED' && discount_effect === 'APPLY_TO_ITEMS');
}

/** In the unit of its type: a percentage, a number of units, or an amount in major units. No column says what units are of. */
function discountOf(row: GenericRow) {
  const { value, discount_effect, formula } = row;
  const given = needsNoValue(row) ? value : required(value, 'value');
  const type = required(row.discount_type, 'discount_type');
  const figure = figures.get(type);
  const checked = v.safeParse(discount, {
    type,
    ...(figure && given ? { [figure.name]: figure.read(given, 'value') } : {}),
    ...(figure && formula ? { [`${figure.name}_formula`]: formula } : {}),
    ...(discount_effect ? { effect: discount_effect } : {}),
  });
  if (!checked.success) throw refused(...describeIssues(checked.issues, 'discount'));
  if (checked.output.type === 'UNIT' && checked.output.unit_off === 0) throw refused('value must be 1 or more units');
  return checked.output;
}

type Described = ReturnType<ImportedRow['describe']>;

/** What rows of both kinds of file say of a new voucher. */
function common({ start_date, expiration_date, active, metadata }: GenericRow | CampaignRow) {
  return { start_date, expiration_date, active, metadata };
}

function describeGeneric(row: GenericRow): Described {
  const type = row.voucher_type ?? undefined;
  if (!type) throw refused('voucher_type is required');
  if (type === 'GIFT_VOUCHER' && row.formula) throw refused('formula must be empty in the row of a gift voucher');
  return {
    ...common(row),
    type,
    additional_info: row.additional_info,
    redemption: { quantity: row.redemption_limit ?? null },
    validation_rules: row.validation_rule_id ? [row.validation_rule_id] : [],
    ...(type === 'GIFT_VOUCHER'
      ? { gift: { amount: minorUnits(required(row.value, 'value'), 'value') } }
      : { discount: discountOf(row) }),
  };
}

/** A row that says nothing of the switch is on, unless its campaign has ended. */
function describeOfCampaign(row: CampaignRow, campaign: CampaignTerms | undefined, now: Date): Described {
  const hasEnded = (campaign?.expiration_date ?? '9') < now.toISOString();
  const { gift_amount, loyalty_points } = row;
  const described: Omit<NewVoucher, 'code' | 'category_id' | 'type'> = {
    ...common(row),
    active: row.active ?? !hasEnded,
    gift: gift_amount === null || gift_amount === undefined ? undefined : { amount: gift_amount },
    loyalty_card: loyalty_points === null || loyalty_points === undefined ? undefined : { points: loyalty_points },
  };
  return { ...described, type: typeOfNew({}, campaign) };
}

interface Import<S extends v.GenericSchema> {
  type: 'VOUCHERS.IMPORT_CSV' | 'CAMPAIGN.VOUCHERS_IMPORT_CSV';
  isSequence: boolean;
  columns: Readonly<Record<string, string>>;
  values: Readonly<Record<string, (cell: string, field: string) => unknown>>;
  body: S;
  imported: (context: Writing, row: v.InferOutput<S>) => ImportedRow;
}

/** Of a voucher that is known, a row changes the switch and the category. */
function importOf<S extends v.GenericSchema>({ imported, ...described }: Import<S>): CsvBulk {
  const run = (context: Writing, rows: readonly v.InferOutput<S>[], campaignId: string | undefined) =>
    importVouchers(
      context,
      rows.map((row) => imported(context, row)),
      { campaignId, changesKnown: true },
    );
  return csvBulk({
    ...described,
    columns: { ...columns, ...described.columns },
    values: { ...values, ...described.values },
    needs: ['code'],
    mayHaveSpaces: true,
    named: 'code',
    run: (context, row, campaignId) => run(context, [row], campaignId),
    together: { most: rowsAtOnce, run },
  });
}

export const vouchersCsv = importOf({
  type: 'VOUCHERS.IMPORT_CSV',
  isSequence: false,
  columns: {
    'voucher type': 'voucher_type',
    value: 'value',
    'discount type': 'discount_type',
    'discount effect': 'discount_effect',
    'validation rule id': 'validation_rule_id',
    'redemption limit': 'redemption_limit',
    'additional info': 'additional_info',
    formula: 'formula',
  },
  values: { redemption_limit: wholeNumber, formula: unmarked },
  body: genericRow,
  imported: (_, row) => ({ ...row, describe: () => describeGeneric(row) }),
});

export const campaignVouchersCsv = importOf({
  type: 'CAMPAIGN.VOUCHERS_IMPORT_CSV',
  isSequence: true,
  columns: { 'gift amount': 'gift_amount', 'loyalty points': 'loyalty_points' },
  values: { gift_amount: minorUnits, loyalty_points: wholeNumber },
  body: campaignRow,
  imported: ({ now }, row) => ({ ...row, describe: (campaign) => describeOfCampaign(row, campaign, now) }),
});
