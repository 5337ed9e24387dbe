import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import { type VoucherItem, voucherItem } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';

/** Finds a member, which is a card, by code or id. 404 also for another type of voucher. */
export async function findCard(context: Showing, memberId: string): Promise<VoucherItem> {
  return cardOr404(await voucherOr404(context, memberId), memberId);
}

export function cardOr404(voucher: VoucherItem | undefined, memberId: string): VoucherItem {
  if (voucher?.type !== 'LOYALTY_CARD') throw notFound('voucher', memberId);
  return voucher;
}

/** Returns the first existing item under the keys that a member's name may mean. */
export function findFirstVoucher(items: readonly (Record<string, unknown> | undefined)[]): VoucherItem | undefined {
  const item = items.find((one) => one !== undefined);
  return item && parseStored(voucherItem, item);
}
