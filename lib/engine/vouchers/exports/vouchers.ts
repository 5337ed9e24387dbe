import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { type ExportColumns, formatMajorUnits, plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { voucherFilterFields } from '../search/filter-fields.ts';
import type { Voucher } from '../voucher.ts';
import type { ExportedVoucher } from './read-vouchers.ts';

/** Returns money in major units, and percentages, units and points unchanged. */
function showWorth({ discount, gift, loyalty_card }: Voucher, decimals: number): unknown {
  if (gift) return formatMajorUnits(gift.amount, decimals);
  if (loyalty_card) return loyalty_card.points;
  if (discount?.type === 'AMOUNT') return formatMajorUnits(discount.amount_off, decimals);
  if (discount?.type === 'FIXED') return formatMajorUnits(discount.fixed_amount, decimals);
  return discount?.type === 'PERCENT' ? discount.percent_off : discount?.unit_off;
}

function showFormula({ discount }: Voucher): string | undefined {
  if (discount?.type === 'AMOUNT') return discount.amount_off_formula;
  if (discount?.type === 'PERCENT') return discount.percent_off_formula;
  if (discount?.type === 'FIXED') return discount.fixed_amount_formula;
  return discount?.unit_off_formula;
}

const findUnitDiscount = ({ discount }: Voucher) => (discount?.type === 'UNIT' ? discount : undefined);

const shownFields: ExportColumns<Voucher> = {
  ...plainColumns('code'),
  voucher_type: ({ type }) => type,
  value: showWorth,
  discount_type: ({ discount }) => discount?.type,
  formula: showFormula,
  ...plainColumns('campaign', 'category', 'start_date', 'expiration_date'),
  gift_balance: ({ gift }, decimals) => formatMajorUnits(gift?.balance, decimals),
  loyalty_balance: ({ loyalty_card }) => loyalty_card?.balance,
  redemption_quantity: ({ redemption }) => redemption.quantity,
  redemption_count: ({ redemption }) => redemption.redeemed_quantity,
  ...plainColumns('active'),
  qr_code: ({ assets }) => assets.qr.url,
  bar_code: ({ assets }) => assets.barcode.url,
  ...plainColumns('metadata', 'id', 'is_referral_code', 'created_at', 'updated_at'),
  validity_timeframe_interval: ({ validity_timeframe }) => validity_timeframe?.interval,
  validity_timeframe_duration: ({ validity_timeframe }) => validity_timeframe?.duration,
  ...plainColumns('validity_day_of_week'),
  discount_amount_limit: ({ discount }, decimals) =>
    discount?.type === 'PERCENT' ? formatMajorUnits(discount.amount_limit, decimals) : undefined,
  ...plainColumns('campaign_id', 'additional_info'),
  customer_id: ({ holder_id }) => holder_id,
  discount_effect: ({ discount }) => discount?.effect,
  discount_unit_type: (voucher) => findUnitDiscount(voucher)?.unit_type,
  discount_unit_effect: (voucher) => findUnitDiscount(voucher)?.effect,
  discount_units: (voucher) => findUnitDiscount(voucher)?.units,
  discount_aggregated_amount_limit: ({ discount }, decimals) =>
    discount?.type === 'PERCENT' || discount?.type === 'AMOUNT'
      ? formatMajorUnits(discount.aggregated_amount_limit, decimals)
      : undefined,
  gift_effect: ({ gift }) => gift?.effect,
  redeemed_amount: ({ redemption }, decimals) => formatMajorUnits(redemption.redeemed_amount, decimals),
  redeemed_points: ({ redemption }) => redemption.redeemed_points,
  expired_points: ({ loyalty_card }) => loyalty_card?.expired_points,
  publish_count: ({ publish }) => publish.count,
  ...plainColumns('validity_hours'),
  validation_rules_id: ({ validation_rules_assignments }) =>
    validation_rules_assignments.data.map(({ rule_id }) => rule_id).join(' ') || undefined,
};

/** Reads these columns from the voucher as replies show it. */
const shownColumns = Object.entries(shownFields).map(
  ([name, read]) => [name, ({ shown }: ExportedVoucher, decimals: number) => read(shown, decimals)] as const,
);

export const exportedVouchers = describeExport<ExportedVoucher>({
  object: 'voucher',
  list: voucherLists.created_at,
  ofCampaign: voucherLists.ofCampaign,
  walked: 'created_at',
  // Only the worker loads this file: a request for an export reads no vouchers.
  read: async (context, batch) => (await import('./read-vouchers.ts')).readExportedVouchers(context, batch),
  fields: {
    ...Object.fromEntries(shownColumns),
    customer_source_id: ({ holderSource }) => holderSource,
    publication_ids: ({ item }) => item.publication_ids,
    loyalty_lots: ({ item, shown }) => (shown.loyalty_card ? item.lots : undefined),
  },
  defaults: ['code', 'voucher_type', 'value', 'discount_type'],
  orders: ['created_at', 'updated_at', 'code'],
  filters: voucherFilterFields,
});
