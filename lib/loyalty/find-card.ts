import { notFound } from '../core/errors.ts';
import type { Showing } from '../http/context.ts';
import { parseStored } from '../table/item.ts';
import { voucherOr404 } from '../vouchers/find-voucher.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';

/** A member of a loyalty programme is its card, by code or id; 404 also for a voucher of another type. */
export async function findCard(context: Showing, memberId: string): Promise<VoucherItem> {
  return cardOr404(await voucherOr404(context, memberId), memberId);
}

export function cardOr404(voucher: VoucherItem | undefined, memberId: string): VoucherItem {
  if (voucher?.type !== 'LOYALTY_CARD') throw notFound('voucher', memberId);
  return voucher;
}

/** Of the items under the keys that a member's name may stand for: the first that is there. */
export function firstVoucher(items: readonly (Record<string, unknown> | undefined)[]): VoucherItem | undefined {
  const item = items.find((one) => one !== undefined);
  return item && parseStored(voucherItem, item);
}
