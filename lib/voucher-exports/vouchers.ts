import { voucherLists } from '../codes/voucher-lists.ts';
import { type Columns, columns, majorUnits } from '../exports/columns.ts';
import { exported } from '../exports/exported.ts';
import type { ExportedVoucher } from './read-vouchers.ts';

/** Money in major units; percent, units and points as they are. */
function worthOf({ discount, gift, loyalty_card }: ExportedVoucher): unknown {
  if (gift) return majorUnits(gift.amount);
  if (loyalty_card) return loyalty_card.points;
  if (discount?.type === 'AMOUNT') return majorUnits(discount.amount_off);
  if (discount?.type === 'FIXED') return majorUnits(discount.fixed_amount);
  return discount?.type === 'PERCENT' ? discount.percent_off : discount?.unit_off;
}

const ofUnit = ({ discount }: ExportedVoucher) => (discount?.type === 'UNIT' ? discount : undefined);

const fields: Columns<ExportedVoucher> = {
  ...columns('code'),
  voucher_type: ({ type }) => type,
  value: worthOf,
  discount_type: ({ discount }) => discount?.type,
  ...columns('campaign', 'category', 'start_date', 'expiration_date'),
  gift_balance: ({ gift }) => majorUnits(gift?.balance),
  loyalty_balance: ({ loyalty_card }) => loyalty_card?.balance,
  redemption_quantity: ({ redemption }) => redemption.quantity,
  redemption_count: ({ redemption }) => redemption.redeemed_quantity,
  ...columns('active'),
  qr_code: ({ assets }) => assets.qr.url,
  bar_code: ({ assets }) => assets.barcode.url,
  ...columns('metadata', 'id', 'is_referral_code', 'created_at', 'updated_at'),
  validity_timeframe_interval: ({ validity_timeframe }) => validity_timeframe?.interval,
  validity_timeframe_duration: ({ validity_timeframe }) => validity_timeframe?.duration,
  ...columns('validity_day_of_week'),
  discount_amount_limit: ({ discount }) =>
    discount?.type === 'PERCENT' ? majorUnits(discount.amount_limit) : undefined,
  ...columns('campaign_id', 'additional_info'),
  customer_id: ({ holder_id }) => holder_id,
  discount_effect: ({ discount }) => discount?.effect,
  discount_unit_type: (voucher) => ofUnit(voucher)?.unit_type,
  discount_unit_effect: (voucher) => ofUnit(voucher)?.effect,
  validation_rules_id: ({ validation_rules_assignments }) =>
    validation_rules_assignments.data.map(({ rule_id }) => rule_id).join(' ') || undefined,
  ...columns('customer_source_id'),
};

type Test = (voucher: ExportedVoucher, now: Date) => boolean;

const isEnabled: Test = ({ active }) => active !== false;
const isExpired: Test = ({ expiration_date }, now) => expiration_date !== null && expiration_date < now.toISOString();
const isBegun: Test = ({ start_date }, now) => start_date === null || start_date <= now.toISOString();

export const exportedVouchers = exported<ExportedVoucher>({
  object: 'voucher',
  list: voucherLists.created_at,
  ofCampaign: voucherLists.ofCampaign,
  walked: 'created_at',
  // Loaded by the worker alone: who asks for an export reads no vouchers.
  read: async (context, batch) => (await import('./read-vouchers.ts')).readExported(context, batch),
  fields,
  defaults: ['code', 'voucher_type', 'value', 'discount_type'],
  orders: ['created_at', 'updated_at', 'code'],
  filters: {
    created_at: 'date',
    created_date: { type: 'date', at: ({ created_at }: ExportedVoucher) => created_at },
    updated_at: 'date',
    start_date: 'date',
    expiration_date: 'date',
    active: {
      flags: {
        $active: (one, now) => isEnabled(one, now) && isBegun(one, now) && !isExpired(one, now),
        $enabled: isEnabled,
        $disabled: (one, now) => !isEnabled(one, now),
        $expired: isExpired,
      },
    },
    code: 'text',
    type: 'text',
    campaign: 'text',
    campaign_ids: { type: 'text', at: ({ campaign_id }: ExportedVoucher) => campaign_id },
    categories: { type: 'text', at: ({ category }: ExportedVoucher) => category },
    category_ids: { type: 'text', at: ({ category_id }: ExportedVoucher) => category_id },
    holder_id: 'text',
    is_referral_code: 'boolean',
    validity_timeframe: 'any',
    validity_day_of_week: 'list',
    'redemption.redeemed_quantity': 'number',
    'metadata.*': 'any',
  },
});
