import { readTerms } from '../campaigns/campaign-terms.ts';
import { readCategories } from '../categories/category.ts';
import type { Showing } from '../context.ts';
import { withExpired } from '../ledger/read-counters.ts';
import { presentVoucher } from './present-voucher.ts';
import type { Voucher, VoucherItem } from './voucher.ts';

/** As shown, with what they inherit: each campaign and category is read once. A voucher whose campaign is gone is gone. */
export async function showVouchers(context: Showing, items: readonly VoucherItem[]): Promise<Voucher[]> {
  const terms = await readTerms(
    context,
    items.map(({ campaign_id }) => campaign_id),
  );
  const all = items.map((item) => ({ item, campaign: terms.get(item.campaign_id ?? '') }));
  const there = all.filter(({ item, campaign }) => campaign || !item.campaign_id);
  const categories = await readCategories(
    context,
    there.map(({ item, campaign }) => item.category_id ?? campaign?.category_id),
  );
  const counted = await Promise.all(
    there.map(async ({ item, campaign }) => ({ campaign, item: await withExpired(context, item) })),
  );
  return counted.map(({ item, campaign }) => presentVoucher(item, { ...context, campaign, categories }));
}
