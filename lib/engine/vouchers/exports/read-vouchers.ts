import { listCategoryIds, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { readCategories } from '#engine/rules/categories/resource.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { readExactFigures } from '../exact-figures.ts';
import { holders as holderKind } from '../holder.ts';
import { presentVoucher } from '../present-voucher.ts';
import type { FilteredVoucher } from '../search/filter-fields.ts';
import { type Voucher, type VoucherItem, vouchers } from '../voucher.ts';

/** Holds a voucher for filters and for replies, with its holder's source id. */
export interface ExportedVoucher extends FilteredVoucher {
  readonly shown: Voucher;
  readonly holderSource: string | undefined;
}

/** Reads the listed vouchers that exist. */
export async function readListedVouchers({ table, project }: Showing, batch: readonly Entry[]): Promise<VoucherItem[]> {
  const { items } = await read(table, { items: batch.map(({ listed }) => vouchers(project.id, String(listed.id))) });
  return items.filter((item) => item !== undefined);
}

/** Reads vouchers with what they inherit. A voucher of a deleted campaign counts as deleted. */
export async function readExportedVouchers(context: Showing, batch: readonly Entry[]): Promise<ExportedVoucher[]> {
  const { table, project } = context;
  const listed = await readListedVouchers(context, batch);
  const items = await Promise.all(listed.map((item) => readExactFigures(context, item)));
  const terms = await readTerms(
    context,
    items.map(({ campaign_id }) => campaign_id),
  );
  const there = items.filter(({ campaign_id }) => !campaign_id || terms.has(campaign_id));
  const holderIds = [...new Set(there.flatMap(({ holder_id }) => holder_id ?? []))];
  const categoryIds = there.flatMap((item) => listCategoryIds(item, terms.get(item.campaign_id ?? '')));
  const [categories, { holders }] = await Promise.all([
    readCategories(context, categoryIds),
    read(table, { holders: holderIds.map((id) => holderKind(project.id, id)) }),
  ]);
  const sourceIds = new Map<string | undefined, string | undefined>(
    holders.map((holder) => [holder?.id, holder?.source_id ?? undefined]),
  );
  return there.map((item) => {
    const campaign = terms.get(item.campaign_id ?? '');
    const shown = presentVoucher(item, { ...context, campaign, categories });
    return { item, campaign, categories, shown, holderSource: sourceIds.get(item.holder_id ?? undefined) };
  });
}
