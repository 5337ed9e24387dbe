import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { foldCode, moveFreeVoucher, noteChange, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { category, chooseCategories, chooseCategory, readCategories } from '#engine/rules/categories/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { RowWriting } from '#kernel/kit/bulk/bulk.ts';
import { noteCategory } from '#kernel/kit/bulk/job.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, change, commit, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { checkRules } from '../create-voucher.ts';
import { makeVouchers } from '../make-voucher.ts';
import { type VoucherItem, vouchers } from '../voucher.ts';
import type { NewVoucher } from '../voucher-body.ts';
import { findCampaignIds, findHolderIds, insertHolding, type NamedByRow } from './named-by-rows.ts';

/** Describes the voucher of an imported row. */
export interface ImportedRow extends NamedByRow {
  /** The id that the voucher has in the project of the file. */
  id?: string | null | undefined;
  code: string;
  active?: boolean | null | undefined;
  /** Names the category by its name or id. */
  category?: string | null | undefined;
  /** Overrides `category`, and must be known. */
  category_id?: string | null | undefined;
  /** Describes the whole voucher, for a new code. Answers 400 if the row has too little data. */
  describe: (campaign: CampaignTerms | undefined) => Omit<NewVoucher, 'code' | 'category_id'>;
  /** Sets a new voucher to the state that it has elsewhere. */
  asItStands?: (item: VoucherItem, holderId: string | undefined) => VoucherItem;
}

interface Importing {
  campaignId: string | undefined;
  /** Lets rows with a known code change the voucher. Otherwise these rows are refused. */
  changesKnown: boolean;
}

/** One transaction imports this many rows. With the campaign, its counters and the note of progress they are at most 100 items. */
export const rowsAtOnce = 90;

/**
 * Finds categories by the ids or names in rows, and creates missing categories. The action of the rows notes new
 * categories.
 */
async function categoryIds(context: RowWriting, rows: readonly ImportedRow[]) {
  const unique = (names: Iterable<string | null | undefined>) => [...new Set(names)].flatMap((name) => name || []);
  const ids = unique(rows.map(({ category_id }) => category_id));
  const wanted = unique(rows.map((row) => (row.category_id ? undefined : row.category)));
  const found = await readCategories(context, [...ids, ...wanted]);
  for (const category_id of ids) chooseCategory(found, { category_id });
  const unknown = wanted.filter((name) => !found[name]);
  const byName = unknown.map((name) =>
    name.startsWith(category.idPrefix) ? { category_id: name } : { category: name },
  );
  for (const choice of byName) if (choice.category_id) chooseCategory(found, choice);
  const { categories, created, fresh } = await chooseCategories(context, [], byName, found);
  const all = Object.values(categories);
  const byNames = wanted.map(
    (name) => [name, categories[name]?.id ?? all.find((one) => one?.name === name)?.id] as const,
  );
  const idOf = new Map(byNames);
  const of = ({ category_id, category: name }: ImportedRow) => category_id || idOf.get(name ?? '');
  return { of, created: [...created, ...fresh.map((one) => noteCategory(context, one))] };
}

/** Changes the switch and the category of a known voucher, if the row has them. */
function changeKnown(
  { project, now }: Writing,
  item: VoucherItem,
  { active, category_id }: { active: boolean | null | undefined; category_id: string | undefined },
): Effect[] {
  const after = { ...item, active: active ?? item.active, category_id: category_id ?? item.category_id };
  if (after.active === item.active && after.category_id === item.category_id) return [];
  return [
    change(vouchers(project.id, item.id), (update) =>
      moveFreeVoucher(noteChange(update, project.id, item.id, now.toISOString()), project.id, after)
        .whenThere()
        .whenUnsetOr('updated_at', item.updated_at)
        .whenStill('active', item.active ?? undefined)
        .whenStill('holder_id', item.holder_id ?? undefined)
        .take(after, ['active', 'category_id']),
    ),
  ];
}

function checkCampaign({ campaign_id, code }: VoucherItem, campaignId: string | undefined): void {
  if (campaignId === undefined || campaign_id === campaignId) return;
  throw new ServiceError('duplicate_found', {
    details: 'code must not belong to a voucher of another campaign, or of none',
    resource: { id: code, type: 'voucher' },
  });
}

/**
 * Refuses rows with the id of a voucher and the code of another: a spreadsheet has changed the code, or has sorted a
 * single column. An id that no voucher has comes from another project.
 */
async function checkIds({ table, project }: Writing, rows: readonly ImportedRow[]): Promise<void> {
  const others = rows.flatMap(({ id, code }) => (id && id !== voucherId(project, code) ? [{ id, code }] : []));
  if (others.length === 0) return;
  const keys = others.map(({ id }) => vouchers(project.id, id));
  const found = await table.getMany(keys, { deletedToo: true });
  const other = others.find((_, index) => found[index] !== undefined);
  if (!other) return;
  throw new ServiceError('duplicate_found', {
    details: `id ${other.id} belongs to a voucher with another code, so that the code or the id was changed: copy the row from a new export`,
    resource: { id: other.id, type: 'voucher' },
  });
}

interface Surroundings {
  /** Maps ids to the terms of the campaigns. */
  campaigns: ReadonlyMap<string, CampaignTerms>;
  campaignOf: (row: ImportedRow) => string | undefined;
  holderOf: (row: ImportedRow) => string | undefined;
  categoryOf: (row: ImportedRow) => string | undefined;
}

function readOwn({ campaigns, campaignOf, categoryOf }: Surroundings, row: ImportedRow) {
  const campaign = campaigns.get(campaignOf(row) ?? '');
  const category_id = categoryOf(row);
  return { campaign, category_id: category_id === campaign?.category_id ? undefined : category_id };
}

/** Makes the vouchers of rows with new codes. Each campaign counts its own vouchers together. */
async function addNew(context: Writing, rows: readonly ImportedRow[], around: Surroundings): Promise<Effect[]> {
  const { project } = context;
  const made = rows.map((row) => {
    const { campaign, category_id } = readOwn(around, row);
    const holderId = around.holderOf(row);
    const asItStands = (item: VoucherItem) => row.asItStands?.(item, holderId) ?? item;
    return { campaign, voucher: { ...row.describe(campaign), code: row.code, category_id, asItStands } };
  });
  await checkRules(
    context,
    made.flatMap(({ voucher }) => voucher.validation_rules ?? []),
  );
  const byCampaign = Map.groupBy(made, ({ campaign }) => campaign);
  return [...byCampaign].flatMap(([campaign, own]) => {
    const { items, effects } = makeVouchers(
      context,
      own.map(({ voucher }) => voucher),
      campaign,
    );
    return [...effects, ...items.flatMap((item) => insertHolding(project.id, item))];
  });
}

/** Imports rows in one transaction, all or none. A faulty row refuses all of them with its own error. */
export async function importVouchers(
  context: RowWriting,
  rows: readonly ImportedRow[],
  { campaignId, changesKnown }: Importing,
): Promise<true> {
  const { table, project } = context;
  const keys = rows.map(({ code }) => vouchers(project.id, voucherId(project, code)));
  if (new Set(rows.map(({ code }) => foldCode(project, code))).size < rows.length) {
    throw new ServiceError('duplicate_key', {
      details: 'rows with the same code must be imported one after the other',
    });
  }
  await checkIds(context, rows);
  return retryOptimistically(table, async () => {
    const { known } = await read(table, { known: changesKnown ? keys : [] });
    const fresh = rows.filter((_, index) => !known[index]);
    const [named, holders, categories] = await Promise.all([
      findCampaignIds(context, fresh),
      findHolderIds(context, fresh),
      categoryIds(context, rows),
    ]);
    const campaigns = await readTerms(context, [campaignId, ...named.values()]);
    if (campaignId !== undefined && !campaigns.has(campaignId)) throw notFound('campaign', campaignId);
    const around: Surroundings = {
      campaigns,
      campaignOf: (row) => campaignId ?? named.get(row),
      holderOf: (row) => holders.get(row),
      categoryOf: categories.of,
    };
    const changed = rows.flatMap((row, index) => {
      const item = known[index];
      if (!item) return [];
      checkCampaign(item, campaignId);
      const effects = changeKnown(context, item, { active: row.active, category_id: around.categoryOf(row) });
      return effects.length > 0 ? [effects] : [];
    });
    const changes = changed.flat();
    const all = [...(await addNew(context, fresh, around)), ...changes, ...categories.created];
    if (all.length === 0) return true;
    if (rows.length > 1 && !canFitOneTransaction(all)) {
      throw new ServiceError('payload_too_large', { details: 'these rows do not fit one transaction' });
    }
    context.tally({ created: fresh.length, changed: changed.length });
    return (await commit(table, all)) || again;
  });
}
