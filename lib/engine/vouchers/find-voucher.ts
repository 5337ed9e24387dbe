import { readTerms, readTermsWithCategories } from '#engine/campaigns/campaign-terms.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { readExactFigures } from './exact-figures.ts';
import { presentVoucher } from './present-voucher.ts';
import { findByFormerId, type Voucher, type VoucherItem, voucherItem, vouchers } from './voucher.ts';

/** Returns the keys that a voucher with this code or id may have. */
export function listVoucherKeys(project: Project, codeOrId: string): Key[] {
  return voucherIds(project, codeOrId).map((id) => vouchers(project.id, id));
}

/**
 * Finds a voucher in a single call, which reads both candidates if the name could be an id. An id of another service
 * needs two more.
 */
export async function findVoucher({ table, project }: Showing, codeOrId: string): Promise<VoucherItem | undefined> {
  const found = await table.getMany(listVoucherKeys(project, codeOrId));
  const item = found.find((one) => one !== undefined);
  return item ? parseStored(voucherItem, item) : findByFormerId({ table, project }, codeOrId);
}

/** Returns the voucher or answers 404. A voucher of a deleted campaign counts as deleted. */
export async function voucherOr404(context: Showing, codeOrId: string): Promise<VoucherItem> {
  const item = await findVoucher(context, codeOrId);
  if (!item) throw notFound('voucher', codeOrId);
  if (!item.campaign_id || (await readTerms(context, [item.campaign_id])).has(item.campaign_id)) return item;
  throw notFound('voucher', codeOrId);
}

/**
 * Shows the voucher with what it inherits, in one call if the container knows its campaign. The call costs two read units, for
 * the campaign's version and the category. It costs one more if both have a category.
 */
export async function showVoucher(context: Showing, item: VoucherItem): Promise<Voucher> {
  const { project, now, baseUrl } = context;
  const { campaigns, categories } = await readTermsWithCategories(context, [item]);
  const campaign = campaigns.get(item.campaign_id ?? '');
  if (item.campaign_id && !campaign) throw notFound('voucher', item.code);
  return presentVoucher(await readExactFigures(context, item), { project, campaign, categories, now, baseUrl });
}
