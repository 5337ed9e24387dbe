import { type CampaignTerms, readTerms } from '../../campaigns/campaign-terms.ts';
import { readCategories } from '../../categories/category.ts';
import { voucherId } from '../../codes/voucher-id.ts';
import { changedAt, freeOrNot, noLongerFree } from '../../codes/voucher-lists.ts';
import type { Writing } from '../../context.ts';
import { notFound, ServiceError } from '../../errors.ts';
import { retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, type Effect, fitsOneTransaction } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { checkRules } from '../create-voucher.ts';
import { makeVouchers } from '../make-voucher.ts';
import { type VoucherItem, vouchers } from '../voucher.ts';
import type { NewVoucher } from '../voucher-body.ts';

/** A voucher as a row describes it. */
export interface ImportedRow {
  code: string;
  active?: boolean | null | undefined;
  /** Name or id. */
  category?: string | null | undefined;
  /** All of it, where no voucher has the code. 400 where the row does not say enough. */
  describe: (campaign: CampaignTerms | undefined) => Omit<NewVoucher, 'code' | 'category_id'>;
  /** What was redeemed of it elsewhere. */
  redeemed_quantity?: number | null | undefined;
  redeemed_amount?: number | null | undefined;
}

export interface Importing {
  campaignId: string | undefined;
  /** Rows whose code is known change the voucher; else they are refused. */
  changesKnown: boolean;
}

/** Rows of one transaction: with the campaign, what it counts by and the note that they are done they are no more than 100 items. */
export const rowsAtOnce = 90;

/** Ids of categories by what rows call them. 404 for one that is not there. */
async function categoryIds(context: Writing, names: Iterable<string | null | undefined>): Promise<Map<string, string>> {
  const wanted = [...new Set(names)].flatMap((name) => name || []);
  const found = await Promise.all(
    wanted.map(async (name) => {
      const categories = await readCategories(context, [name], { category: name });
      const id = categories[name]?.id ?? Object.values(categories).find((one) => one?.name === name)?.id;
      if (id === undefined) throw notFound('category', name);
      return [name, id] as const;
    }),
  );
  return new Map(found);
}

/** Notes on a new voucher what was redeemed of it elsewhere. */
function redeemed(projectId: string, item: VoucherItem, row: ImportedRow): Effect[] {
  const { id, type, gift } = item;
  const { redeemed_quantity: quantity, redeemed_amount: amount } = row;
  const left = amount && type === 'GIFT_VOUCHER' ? (gift?.amount ?? 0) - amount : undefined;
  if (left !== undefined && left < 0) {
    throw new ServiceError('invalid_payload', { details: 'redeemed_amount must not be above the amount of the gift' });
  }
  if (!quantity && left === undefined) return [];
  return [
    change(vouchers(projectId, id), (update) => {
      noLongerFree(update, item);
      if (quantity) update.set(['redeemed_quantity'], quantity);
      return left === undefined ? update : update.set(['redeemed_amount'], amount).set(['gift_balance'], left);
    }),
  ];
}

/** Of a known voucher a row changes the switch and the category, where it says them. */
function changed(
  { project, now }: Writing,
  item: VoucherItem,
  { active, category_id }: { active: boolean | null | undefined; category_id: string | undefined },
): Effect[] {
  const after = { ...item, active: active ?? item.active, category_id: category_id ?? item.category_id };
  if (after.active === item.active && after.category_id === item.category_id) return [];
  return [
    change(vouchers(project.id, item.id), (update) =>
      freeOrNot(changedAt(update, project.id, item.id, now.toISOString()), project.id, after)
        .whenThere()
        .whenStill('active', item.active ?? undefined)
        .whenStill('holder_id', item.holder_id ?? undefined)
        .take(after, ['active', 'category_id']),
    ),
  ];
}

function checkOfCampaign({ campaign_id, code }: VoucherItem, campaignId: string | undefined): void {
  if (campaignId === undefined || campaign_id === campaignId) return;
  throw new ServiceError('duplicate_found', {
    details: 'code must not be that of a voucher of another campaign, or of none',
    resource: { id: code, type: 'voucher' },
  });
}

/** Rows in one transaction, all or none. Each that can't be done refuses all of them by its own error. */
export function importVouchers(
  context: Writing,
  rows: readonly ImportedRow[],
  { campaignId, changesKnown }: Importing,
): Promise<true> {
  const { table, project } = context;
  const keys = rows.map(({ code }) => vouchers(project.id, voucherId(project, code)));
  if (new Set(rows.map(({ code }) => code)).size < rows.length) {
    throw new ServiceError('duplicate_key', { details: 'rows of one code are done one after the other' });
  }
  return retryOptimistically(table, async () => {
    const campaign = campaignId === undefined ? undefined : (await readTerms(context, [campaignId])).get(campaignId);
    if (campaignId !== undefined && !campaign) throw notFound('campaign', campaignId);
    const { known } = await read(table, { known: changesKnown ? keys : [] });
    const categories = await categoryIds(
      context,
      rows.map(({ category }) => category),
    );
    const categoryOf = ({ category }: ImportedRow) => categories.get(category ?? '');
    const changes = rows.flatMap((row, index) => {
      const item = known[index];
      if (!item) return [];
      checkOfCampaign(item, campaignId);
      return changed(context, item, { active: row.active, category_id: categoryOf(row) });
    });
    const added = rows.filter((_, index) => !known[index]);
    const described = added.map((row) => ({
      ...row.describe(campaign),
      code: row.code,
      category_id: categoryOf(row),
    }));
    await checkRules(
      context,
      described.flatMap((one) => one.validation_rules ?? []),
    );
    const { items, effects } = makeVouchers(context, described, campaign);
    const noted = items.flatMap((item, index) => (added[index] ? redeemed(project.id, item, added[index]) : []));
    const all = [...effects, ...noted, ...changes];
    if (all.length === 0) return true;
    if (rows.length > 1 && !fitsOneTransaction(all)) {
      throw new ServiceError('payload_too_large', { details: 'these rows do not fit one transaction' });
    }
    return (await commit(table, all)) || undefined;
  });
}
