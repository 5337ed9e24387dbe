import type { CardItem } from '#engine/ledger/card.ts';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { type Lot, lotId } from '#engine/ledger/lots.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { plainColumns } from '#kernel/kit/exports/columns.ts';
import { describeExport } from '#kernel/kit/exports/exported-object.ts';
import { chooseVouchers } from './choose-vouchers.ts';

/** Holds the points of one card that expire together. */
interface Bucket {
  readonly id: string;
  readonly campaign_id: string | null;
  readonly voucher_id: string;
  readonly status: 'ACTIVE' | 'EXPIRED';
  readonly expires_at: string | null;
  readonly points: number;
}

function buildBucket({ id, campaign_id = null }: CardItem, lot: Lot, today: string): Bucket {
  const { expires, points } = lot;
  return {
    id: lotId(id, lot),
    campaign_id,
    voucher_id: id,
    status: expires !== null && expires < today ? 'EXPIRED' : 'ACTIVE',
    expires_at: expires,
    points,
  };
}

const names = ['id', 'campaign_id', 'voucher_id', 'status', 'expires_at', 'points'] as const;

/** Exports the points of each card, card by card. */
export const exportedExpirations = describeExport<Bucket>({
  object: 'points_expiration',
  list: voucherLists.created_at,
  within: chooseVouchers,
  read: async (context, batch) => {
    const { readListedVouchers } = await import('./read-vouchers.ts');
    const cards = (await readListedVouchers(context, batch)).filter(({ type }) => type === 'LOYALTY_CARD');
    return cards.flatMap((card) => card.lots.map((lot) => buildBucket(card, lot, formatDay(context.now))));
  },
  fields: plainColumns(...names),
  defaults: names,
  orders: ['expires_at'],
  isLastWithout: true,
  filters: { campaign_id: 'text', voucher_id: 'text' },
});
