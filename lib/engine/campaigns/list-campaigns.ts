import * as v from 'valibot';
import { type Categories, mergeCategories, noCategories, readCategories } from '#engine/rules/categories/resource.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import { described, shownAs } from '#kernel/core/documented.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { pageQuery, readParsedPage, sentBoolean } from '#kernel/http/page.ts';
import { compileFilter, listFilterIds } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type BatchFilter, readListPage } from '#kernel/table/list-page.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { readItemsOf } from '#kernel/table/read.ts';
import { type CampaignItem, campaignItem, campaignStatus, campaigns, campaignType } from './campaign.ts';
import { campaignLists, campaignEntry as inIndex } from './campaign-lists.ts';
import { type CampaignReader, listedCampaign, presentCampaign } from './campaign-reply.ts';
import { campaignFields, isReferralCampaign, readCampaignStatus } from './filter-fields.ts';

const expandable = ['category', 'access_settings_assignments'] as const;

/** Accepts several names, separated by commas. */
const expand = shownAs(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',')),
    v.array(v.picklist(expandable)),
  ),
  { type: 'string', enum: [...expandable, expandable.join(',')] },
);

export const campaignsListed = listed({
  key: 'campaigns',
  element: listedCampaign,
  paging: pageQuery,
  orders: ['created_at', 'updated_at'],
  byDefault: '-created_at',
  parameters: {
    expand: described(v.optional(expand), 'Further fields to show.'),
    campaign_type: described(v.optional(campaignType), 'Only campaigns of this kind.'),
    campaign_status: described(v.optional(campaignStatus), 'Only campaigns with this `creation_status`.'),
    is_referral_code: described(
      v.optional(sentBoolean),
      'Only campaigns of referral codes (`true`), or only other campaigns (`false`).',
    ),
  },
  filters: campaignFields,
  place: { total: count },
});

/** Describes the query of a list that has campaigns of one kind only. */
export const kindsQuery = v.pick(campaignsListed.query, ['limit', 'page', 'order', 'expand']);

type ListCampaignsQuery = v.InferOutput<typeof campaignsListed.query>;

/** Returns whether the list must read campaigns, because its index alone can't answer the query. */
function mustReadItems({ campaign_status, is_referral_code, filters }: ListCampaignsQuery): boolean {
  return campaign_status !== undefined || is_referral_code !== undefined || filters !== undefined;
}

function readCategoriesOf(context: Reading, items: readonly (CampaignItem | undefined)[]): Promise<Categories> {
  return readCategories(
    context,
    items.map((item) => item?.category_id),
  );
}

/** Returns the test for wanted campaigns, or `undefined` if all are wanted. */
function buildMatches(context: Reading, query: ListCampaignsQuery): BatchFilter | undefined {
  const { campaign_type, campaign_status, is_referral_code, filters = {} } = query;
  if (campaign_type === undefined && !mustReadItems(query)) return undefined;
  const isOfType = ({ listed }: Entry) =>
    campaign_type === undefined || parseStored(inIndex, listed).campaign_type === campaign_type;
  if (!mustReadItems(query)) return (batch) => batch.map(isOfType);
  const takes = compileFilter(campaignFields, filters, context.project.schemas('campaign'));
  const isWanted = (item: CampaignItem, categories: Categories) =>
    (campaign_status === undefined || readCampaignStatus(item) === campaign_status) &&
    (is_referral_code === undefined || isReferralCampaign(item) === is_referral_code) &&
    takes({ item, categories }, context.now);
  // The first batch starts this read, and all batches share it.
  let named: Promise<Categories> | undefined;
  return async (batch) => {
    named ??= awaitLater(readCategories(context, listFilterIds(filters, 'category_ids')));
    const [items, byId] = await Promise.all([readItemsOf(context.table, campaigns, batch.filter(isOfType)), named]);
    const ofItems = Object.hasOwn(filters, 'categories') ? await readCategoriesOf(context, items) : noCategories;
    const categories = mergeCategories(byId, ofItems);
    const wanted = new Set(items.flatMap((item) => (item && isWanted(item, categories) ? [item.id] : [])));
    return batch.map(({ listed }) => wanted.has(parseStored(inIndex, listed).id));
  };
}

/** Lists campaigns. A page costs itself and the keys before it. A filter reads up to 10,000 campaigns. */
export async function listCampaigns(context: Reading & CampaignReader, query: ListCampaignsQuery) {
  const { table, project } = context;
  const { field } = campaignsListed.orderIn(query);
  const { page, total } = await readListPage(
    table,
    { list: campaignLists[field], counted: campaignLists.created_at, owner: [project.id] },
    { ...campaignsListed.wanted(query), matches: buildMatches(context, query) },
  );
  const keys = page.map(({ key }) => key);
  const items = await readParsedPage(table, campaignItem, keys);
  const categories = query.expand?.includes('category') ? await readCategoriesOf(context, items) : noCategories;
  const elements = items.map((item) => {
    const { access_settings_assignments: assigned, ...shown } = presentCampaign(context, { item, categories });
    return query.expand?.includes('access_settings_assignments') && assigned
      ? { ...shown, access_settings_assignments: assigned }
      : shown;
  });
  return campaignsListed.show(elements, { total });
}
