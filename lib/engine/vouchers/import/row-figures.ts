import { sumPoints } from '#engine/ledger/lots.ts';
import { defined } from '#kernel/core/defined.ts';
import { csvError, readAges } from '#kernel/kit/bulk/csv-cells.ts';
import type { VoucherItem } from '../voucher.ts';
import type { VoucherRow } from './row.ts';

/** Sets a new voucher to the state that it has elsewhere: its redemptions, its balance, its age. */

/** Counts all that is no longer left as redeemed, unless the row has a redeemed amount or no redemptions. */
function countRedeemed(all: number, left: number, said: number | null | undefined, times: number | null | undefined) {
  if (said !== null && said !== undefined) return said;
  return times === 0 ? 0 : all - left;
}

function readGift({ gift }: VoucherItem, row: VoucherRow): Partial<VoucherItem> {
  const amount = gift?.amount ?? 0;
  if ((row.redeemed_amount ?? 0) > amount) throw csvError('redeemed_amount must not be above the amount of the gift');
  const left = row.gift_balance ?? amount - (row.redeemed_amount ?? 0);
  if (left > amount) throw csvError('gift_balance must not be above the amount of the gift');
  const redeemed = countRedeemed(amount, left, row.redeemed_amount, row.redeemed_quantity);
  if (left + redeemed > amount)
    throw csvError('gift_balance and redeemed_amount must not be above the amount together');
  return { gift_balance: left, redeemed_amount: redeemed };
}

function readCard({ credited_points: points, lots }: VoucherItem, row: VoucherRow): Partial<VoucherItem> {
  const balance = row.loyalty_balance ?? (row.loyalty_lots ? sumPoints(row.loyalty_lots) : points);
  if (balance > points) throw csvError('loyalty_balance must not be above the points of the card');
  if (row.loyalty_lots && sumPoints(row.loyalty_lots) !== balance) {
    throw csvError('loyalty_lots must add up to the balance of the card');
  }
  const expired = Math.min(row.expired_points ?? 0, points - balance);
  const redeemed = countRedeemed(points - expired, balance, row.redeemed_points, row.redeemed_quantity);
  if (balance + expired + redeemed > points) {
    throw csvError('loyalty_balance, expired_points and redeemed_points must not be above the points together');
  }
  const [lot] = lots;
  const left = row.loyalty_lots ?? (lot && balance > 0 ? [{ ...lot, points: balance }] : []);
  return { lots: left, opening_balance: balance, expired_points: expired, redeemed_points: redeemed };
}

/** Returns the new voucher with the figures of its row. Answers 400 if the figures contradict each other. */
export function applyRowFigures(
  item: VoucherItem,
  row: VoucherRow,
  holderId: string | undefined,
  now: Date,
): VoucherItem {
  const redeemed_quantity = row.redeemed_quantity ?? 0;
  const limit = item.redemption_quantity ?? Number.POSITIVE_INFINITY;
  if (redeemed_quantity > limit) throw csvError(`redeemed_quantity must not be above the limit of ${limit}`);
  return {
    ...item,
    ...readAges(row, now),
    redeemed_quantity,
    // Publications give out only codes of a campaign that were never redeemed.
    ...(redeemed_quantity > 0 && item.campaign_id ? { was_redeemed: true } : {}),
    // A campaign sets this for all its codes.
    ...(row.is_referral_code && !item.campaign_id ? { is_referral_code: true } : {}),
    publish_count: row.publish_count ?? 0,
    ...defined({ holder_id: holderId }),
    ...(item.type === 'GIFT_VOUCHER' ? readGift(item, row) : {}),
    ...(item.type === 'LOYALTY_CARD' ? readCard(item, row) : {}),
  };
}
