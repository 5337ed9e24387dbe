import type * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import {
  listedPending,
  type PendingPointsItem,
  pendingOfCampaign,
  pendingPoints,
  pendingPointsItem,
} from '#engine/ledger/pending-points.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { readIdTime } from '#kernel/core/ids.ts';
import type { Reading, Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, readParsedPage, unknownCursor } from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { readPageById } from '#kernel/kit/filters/page-by-id.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { type Owner, type Range, sortKey, walkList } from '#kernel/table/listing.ts';
import { read, walkChildren } from '#kernel/table/read.ts';
import { type MemberPath, memberOr404 } from './member-path.ts';
import { pendingPointsReply, presentPendingPoints } from './pending-points.ts';

type Listed = v.InferOutput<typeof listedPending>;

const filterFields: FilterFields<Listed> = { id: 'text', voucher_id: 'text', created_at: 'date' };

export const pendingPointsListed = listed({
  key: 'data',
  element: pendingPointsReply,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  orderWords: 'The field that orders the list, the oldest first. A leading dash lists the newest first.',
  filters: filterFields,
  place: moreEntries,
});

type Query = v.InferOutput<typeof pendingPointsListed.query>;

function pageOf(
  items: readonly PendingPointsItem[],
  holders: ReadonlyMap<string, VoucherItem>,
  now: Date,
  next?: string,
) {
  const shown = items.map((item) => presentPendingPoints(item, holders.get(item.voucher_id), now));
  return pendingPointsListed.show(shown, presentMore(next));
}

/**
 * Returns the place where the page begins. The points at the cursor may have been settled since, but ids sort by time.
 * Other ids, which project files may have, must be in the list.
 */
async function placeBehind({ table }: Reading, owner: Owner, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const place = sortKey(id);
  if (readIdTime('pending_points', id)) return place;
  for await (const _ of walkList(table, pendingOfCampaign, owner, { from: place, to: place })) return place;
  throw unknownCursor('row of pending points');
}

/** Lists the pending points of all cards of a programme. */
export async function listCampaignPendingPoints(context: Showing, campaignIdOrName: string, query: Query) {
  const { table, project } = context;
  const campaign = await campaignOr404(context, campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  const owner: Owner = [project.id, campaign.id];
  const behind = await placeBehind(context, owner, query.starting_after_id);
  const { keys, next } = await readPageById(
    context,
    { list: pendingOfCampaign, owner },
    { ...query, behind },
    { known: listedPending, fields: filterFields },
  );
  // The list lags, so it may still contain points that were settled recently.
  const items = (await readParsedPage(table, pendingPointsItem, keys)).filter(({ state }) => state === 'PENDING');
  const cardIds = [...new Set(items.map(({ voucher_id }) => voucher_id))];
  const { cards } = await read(table, { cards: cardIds.map((id) => vouchers(project.id, id)) });
  const holders = new Map(cards.flatMap((card) => (card ? [[card.id, card] as const] : [])));
  return pageOf(items, holders, context.now, next);
}

/** Reads the pending points of a card, tens or hundreds in any state, from one part of its partition. */
async function* pendingOf({ table, project }: Reading, cardId: string, range: Range) {
  for await (const item of walkChildren(table, pendingPoints, [project.id, cardId], range)) {
    if (item.state === 'PENDING') yield item;
  }
}

/** Lists the current pending points of one card. */
export async function listMemberPendingPoints(context: Showing, path: MemberPath, query: Query) {
  const card = await memberOr404(context, path);
  const { table, project } = context;
  const { starting_after_id: behind, filters } = query;
  const { cursor } = await read(table, {
    cursor: behind === undefined ? undefined : pendingPoints(project.id, card.id, behind),
  });
  if (behind !== undefined && !cursor) throw unknownCursor('row of pending points');
  const matches = filters && compileFilter(filterFields, filters);
  const { page, next } = await readFilteredPage((range) => pendingOf(context, card.id, range), {
    ...pendingPointsListed.wanted(query),
    behind,
    matches: matches && ((batch) => batch.map((item) => matches(item, context.now))),
  });
  return pageOf(page, new Map([[card.id, card]]), context.now, next?.id);
}
