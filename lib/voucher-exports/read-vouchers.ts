import { readTerms } from '../campaigns/campaign-terms.ts';
import { readCategories } from '../categories/category.ts';
import type { Showing } from '../context.ts';
import { customers } from '../customers/customer.ts';
import type { Entry } from '../table/listing.ts';
import { read } from '../table/read.ts';
import { presentVoucher } from '../vouchers/present-voucher.ts';
import { type Voucher, type VoucherItem, vouchers } from '../vouchers/voucher.ts';

/** As shown, with what its holder is called by the shop. */
export type ExportedVoucher = Voucher & { readonly customer_source_id: string | undefined };

/** The vouchers of the lists that are there. */
export async function readListed({ table, project }: Showing, batch: readonly Entry[]): Promise<VoucherItem[]> {
  const { items } = await read(table, { items: batch.map(({ listed }) => vouchers(project.id, String(listed.id))) });
  return items.filter((item) => item !== undefined);
}

/** With what they inherit: one of a campaign that is gone is gone. */
export async function readExported(context: Showing, batch: readonly Entry[]): Promise<ExportedVoucher[]> {
  const { table, project } = context;
  const items = await readListed(context, batch);
  const terms = await readTerms(
    context,
    items.map(({ campaign_id }) => campaign_id),
  );
  const there = items.filter(({ campaign_id }) => !campaign_id || terms.has(campaign_id));
  const holderIds = [...new Set(there.flatMap(({ holder_id }) => holder_id ?? []))];
  const categoryIds = there.map((item) => item.category_id ?? terms.get(item.campaign_id ?? '')?.category_id);
  const [categories, { holders }] = await Promise.all([
    readCategories(context, categoryIds),
    read(table, { holders: holderIds.map((id) => customers(project.id, id)) }),
  ]);
  const sourceIds = new Map(holders.map((holder) => [holder?.id, holder?.source_id ?? undefined]));
  return there.map((item) => ({
    ...presentVoucher(item, { ...context, campaign: terms.get(item.campaign_id ?? ''), categories }),
    customer_source_id: item.holder_id ? sourceIds.get(item.holder_id) : undefined,
  }));
}
