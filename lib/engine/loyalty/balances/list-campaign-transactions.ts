import * as v from 'valibot';
import type { CampaignItem } from '#engine/campaigns/campaign.ts';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { voucherTypes } from '#engine/campaigns/kinds.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { ledgerEntryItem } from '#engine/ledger/ledger-entry.ts';
import { campaignLedger, listedEntry } from '#engine/ledger/record-entry.ts';
import { presentTransaction, transaction } from '#engine/ledger/transaction.ts';
import { readIdTime } from '#kernel/core/ids.ts';
import { count } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, readParsedPage, unknownCursor } from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { readPageById } from '#kernel/kit/filters/page-by-id.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { sortKey } from '#kernel/table/listing.ts';
import { transactionsOrderWords } from './list-transactions.ts';

type Listed = v.InferOutput<typeof listedEntry>;

const filterFields: FilterFields<Listed> = { id: 'text', voucher_id: 'text' };

export const campaignTransactions = listed({
  key: 'data',
  element: transaction,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  orderWords: transactionsOrderWords,
  filters: filterFields,
  /** The total is 0 for a campaign without ledgers. Other lists are not counted. */
  place: { ...moreEntries, total: v.optional(count) },
});

type Query = v.InferOutput<typeof campaignTransactions.query>;

/** Returns a page of the ledgers of all cards of a campaign. */
export async function listCampaignTransactions(context: Showing, campaignIdOrName: string, query: Query) {
  return pageOf(context, await campaignOr404(context, campaignIdOrName), query);
}

/** Returns a page of a loyalty programme's ledgers. 404 for another kind of campaign. */
export async function listProgrammeTransactions(context: Showing, campaignIdOrName: string, query: Query) {
  const campaign = await campaignOr404(context, campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  return pageOf(context, campaign, query);
}

async function pageOf(context: Showing, { id: campaignId, campaign_type }: CampaignItem, query: Query) {
  const { table, project } = context;
  const { starting_after_id: cursor, ...wanted } = query;
  if (cursor !== undefined && !readIdTime('voucher_transaction', cursor)) throw unknownCursor('transaction');
  const type = voucherTypes[campaign_type];
  if (type !== 'GIFT_VOUCHER' && type !== 'LOYALTY_CARD')
    return campaignTransactions.show([], { ...presentMore(undefined), total: 0 });
  const { keys, next } = await readPageById(
    context,
    { list: campaignLedger, owner: [project.id, campaignId] },
    { ...wanted, behind: cursor && sortKey(cursor) },
    { known: listedEntry, fields: filterFields },
  );
  return campaignTransactions.show(
    (await readParsedPage(table, ledgerEntryItem, keys)).map(presentTransaction),
    presentMore(next),
  );
}
