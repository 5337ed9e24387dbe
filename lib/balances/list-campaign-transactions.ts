import * as v from 'valibot';
import type { CampaignItem } from '../campaigns/campaign.ts';
import { campaignOr404 } from '../campaigns/find-campaign.ts';
import { voucherTypes } from '../campaigns/kinds.ts';
import type { Showing } from '../context.ts';
import type { Fields } from '../filters/fields.ts';
import { compileFilter, filterQuery } from '../filters/filter.ts';
import { cursorQuery, limitQuery, more, moreEntries, shownPage, unknownCursor } from '../http/page.ts';
import { timeOfId } from '../ids.ts';
import { ledgerEntryItem } from '../ledger/ledger-entry.ts';
import { campaignLedger, listedEntry } from '../ledger/record-entry.ts';
import { checkLoyaltyCampaign } from '../loyalty/programme.ts';
import { count } from '../schema.ts';
import { parseStored } from '../table/item.ts';
import { readListPage } from '../table/list-page.ts';
import { type Entry, sortKey } from '../table/listing.ts';
import { transactionsOrder } from './list-transactions.ts';
import { presentTransaction, transaction } from './transaction.ts';

type Listed = v.InferOutput<typeof listedEntry>;

const filterFields: Fields<Listed> = { id: 'text', voucher_id: 'text' };

export const campaignTransactionsQuery = v.object({
  ...limitQuery,
  ...cursorQuery,
  order: transactionsOrder,
  filters: v.optional(filterQuery(filterFields)),
});

type Query = v.InferOutput<typeof campaignTransactionsQuery>;

export const campaignTransactionList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('data'),
  data: v.array(transaction),
  /** 0 of a campaign whose vouchers have no ledger; others are not counted. */
  total: v.optional(count),
  ...moreEntries,
});

const listedOf = ({ listed }: Entry): Listed => parseStored(listedEntry, listed);

/** A page of the ledgers of all cards of a campaign. */
export async function listCampaignTransactions(context: Showing, campaignIdOrName: string, query: Query) {
  return pageOf(context, await campaignOr404(context, campaignIdOrName), query);
}

/** The same of a loyalty programme; 404 for a campaign of another kind. */
export async function listProgrammeTransactions(context: Showing, campaignIdOrName: string, query: Query) {
  const campaign = await campaignOr404(context, campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  return pageOf(context, campaign, query);
}

const listOf = (data: v.InferOutput<typeof transaction>[]) => ({
  object: 'list' as const,
  data_ref: 'data' as const,
  data,
});

async function pageOf(context: Showing, { id: campaignId, campaign_type }: CampaignItem, query: Query) {
  const { table, project, now } = context;
  const { limit, order, starting_after_id: cursor, filters } = query;
  if (cursor !== undefined && !timeOfId('voucher_transaction', cursor)) throw unknownCursor('transaction');
  const type = voucherTypes[campaign_type];
  if (type !== 'GIFT_VOUCHER' && type !== 'LOYALTY_CARD') return { ...listOf([]), total: 0, ...more(undefined) };
  const matches = filters && compileFilter(filterFields, filters);
  const { page, next } = await readListPage(
    table,
    { list: campaignLedger, owner: [project.id, campaignId] },
    {
      descending: order === '-id',
      limit,
      offset: 0,
      behind: cursor && sortKey(cursor),
      matches: matches && ((batch) => batch.map((entry) => matches(listedOf(entry), now))),
    },
  );
  const keys = page.map(({ key }) => key);
  const entries = await shownPage(table, ledgerEntryItem, keys);
  return { ...listOf(entries.map((one) => presentTransaction(one))), ...more(next && listedOf(next).id) };
}
