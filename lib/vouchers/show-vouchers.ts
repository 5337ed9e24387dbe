import { readTermsWithCategories } from '../campaigns/campaign-terms.ts';
import type { Showing } from '../http/context.ts';
import { readExactFigures } from './exact-figures.ts';
import { presentVoucher } from './present-voucher.ts';
import type { Voucher, VoucherItem } from './voucher.ts';

/** Shows vouchers with what they inherit. Reads each campaign and category once. Leaves out vouchers of deleted campaigns. */
export async function showVouchers(context: Showing, items: readonly VoucherItem[]): Promise<Voucher[]> {
  const { campaigns, categories } = await readTermsWithCategories(context, items);
  const all = items.map((item) => ({ item, campaign: campaigns.get(item.campaign_id ?? '') }));
  const there = all.filter(({ item, campaign }) => campaign || !item.campaign_id);
  const counted = await Promise.all(
    there.map(async ({ item, campaign }) => ({ campaign, item: await readExactFigures(context, item) })),
  );
  return counted.map(({ item, campaign }) => presentVoucher(item, { ...context, campaign, categories }));
}
