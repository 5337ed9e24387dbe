import { campaignItem } from '../campaigns/campaign.ts';
import { categoriesItem } from '../campaigns/category.ts';
import { parseStored, type Table } from '../dynamodb.ts';
import type { Project } from '../projects/project.ts';
import { type Key, keys } from '../table.ts';
import { presentVoucher } from './present-voucher.ts';
import { type Voucher, type VoucherItem, voucherItem } from './voucher.ts';
import { looksLikeVoucherId, voucherId } from './voucher-id.ts';

/** What every use case gets from the endpoint. */
export interface Context {
  table: Table;
  project: Project;
  now: Date;
  baseUrl: string;
}

/** The ids that a voucher may have which is named by its code or its id; the code comes first, for it wins (ruling C.5). */
export function voucherIds(project: Project, codeOrId: string): string[] {
  const byCode = voucherId(project, codeOrId);
  return looksLikeVoucherId(codeOrId) ? [byCode, codeOrId] : [byCode];
}

/** Where such a voucher may be. */
export function voucherKeys(project: Project, codeOrId: string): Key[] {
  return voucherIds(project, codeOrId).map((id) => keys.voucher(project.id, id));
}

/** One call: DynamoDB reads both candidates at once where the name could be an id. */
export async function findVoucher({ table, project }: Context, codeOrId: string): Promise<VoucherItem | undefined> {
  const [byCode, byId] = await table.getMany(voucherKeys(project, codeOrId));
  const item = byCode ?? byId;
  return item && parseStored(voucherItem, item);
}

/** Reads what the voucher inherits, in one call, and none for a voucher that inherits nothing. */
export async function showVoucher({ table, project, now, baseUrl }: Context, item: VoucherItem): Promise<Voucher> {
  const campaignKey = item.campaign_id ? [keys.campaign(project.id, item.campaign_id)] : [];
  const needsCategories = campaignKey.length > 0 || item.category_id;
  const wanted = [...(needsCategories ? [keys.categories(project.id)] : []), ...campaignKey];
  const [categories, campaign] = wanted.length > 0 ? await table.getMany(wanted) : [];
  return presentVoucher(item, {
    project,
    campaign: campaign && parseStored(campaignItem, campaign),
    categories: categories ? parseStored(categoriesItem, categories).items : {},
    now,
    baseUrl,
  });
}
