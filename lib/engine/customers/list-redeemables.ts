import * as v from 'valibot';
import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { computeBalance } from '#engine/ledger/card.ts';
import { isUsedUp } from '#engine/ledger/codes/voucher-lists.ts';
import { noCategories } from '#engine/rules/categories/resource.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { holdings, listedHolding } from '#engine/vouchers/held-card.ts';
import { holderFields } from '#engine/vouchers/holder.ts';
import { presentVoucher } from '#engine/vouchers/present-voucher.ts';
import {
  giftFigures,
  isReferralCode,
  type VoucherItem,
  voucher,
  voucherItem,
  vouchers,
} from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { readIdTime } from '#kernel/core/ids.ts';
import { count } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, readPageItems, unknownCursor } from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type BatchFilter, readListPage } from '#kernel/table/list-page.ts';
import { type Entry, sortKey } from '#kernel/table/listing.ts';
import { findCustomerItem } from './find-customer.ts';

const status = v.picklist(['ACTIVE', 'USED', 'DISABLED', 'NOT_ACTIVE_YET', 'EXPIRED', 'NO_BALANCE']);

type Status = v.InferOutput<typeof status>;

const redeemable = named(
  'CustomerRedeemable',
  v.object({
    ...holderFields,
    redeemable: v.object({ type: v.literal('voucher'), voucher, status }),
  }),
);

type Holding = v.InferOutput<typeof listedHolding>;

/** Holds a holding with its campaign, for filters. */
interface Filtered {
  holding: Holding;
  campaign: CampaignTerms | undefined;
}

function findRole({ holding, campaign }: Filtered): 'OWNER' | 'REFERRER' | 'REFEREE' {
  if (holding.holder_role) return holding.holder_role;
  return isReferralCode(holding, campaign) ? 'REFERRER' : 'OWNER';
}

const filterFields: FilterFields<Filtered> = {
  id: { type: 'text', at: ({ holding }: Filtered) => holding.id },
  created_at: { type: 'date', at: ({ holding }: Filtered) => holding.created_at },
  redeemable_id: { type: 'text', at: ({ holding }: Filtered) => holding.voucher_id },
  redeemable_object: { type: 'text', at: () => 'voucher' },
  holder_role: { type: 'text', at: findRole },
  campaign_id: { type: 'text', at: ({ holding }: Filtered) => holding.campaign_id },
  campaign_type: { type: 'text', at: ({ campaign }: Filtered) => campaign?.campaign_type },
  voucher_type: { type: 'text', at: ({ holding }: Filtered) => holding.voucher_type },
};

export const redeemablesListed = listed({
  key: 'data',
  element: redeemable,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id', 'created_at'],
  byDefault: '-id',
  orderWords: 'The field that orders the list, the oldest holding first. A leading dash lists the newest first.',
  filters: filterFields,
  place: { total: count, ...moreEntries },
});

type ListRedeemablesQuery = v.InferOutput<typeof redeemablesListed.query>;

const parseHolding = ({ listed }: Entry): Holding => parseStored(listedHolding, listed);

/** Adds the campaigns of the vouchers, each read once. */
async function addCampaigns(context: Showing, batch: readonly Entry[]): Promise<Filtered[]> {
  const all = batch.map(parseHolding);
  const terms = await readTerms(
    context,
    all.map(({ campaign_id }) => campaign_id),
  );
  return all.map((holding) => ({ holding, campaign: terms.get(holding.campaign_id ?? '') }));
}

/**
 * Returns the place after which the page begins. Ids sort like holdings, so that the cursor may name a deleted holding.
 */
function readCursor({ starting_after_id: id }: ListRedeemablesQuery): string | undefined {
  if (id !== undefined && !readIdTime('redeemable_holder', id)) throw unknownCursor('holding');
  return id && sortKey(id);
}

const byRefusal: Readonly<Record<string, Status>> = {
  voucher_disabled: 'DISABLED',
  campaign_not_active: 'DISABLED',
  voucher_not_active: 'NOT_ACTIVE_YET',
  voucher_expired: 'EXPIRED',
};

/** Returns the status that keeps the voucher from being redeemed today, or `ACTIVE`. Hours and weekdays do not count. */
export function findRedeemableStatus(item: VoucherItem, campaign: CampaignTerms | undefined, now: Date): Status {
  const refused = byRefusal[findVoucherRefusal(item, campaign, now)?.key ?? ''];
  if (refused) return refused;
  const left =
    item.type === 'LOYALTY_CARD'
      ? computeBalance(formatDay(now), item)
      : item.type === 'GIFT_VOUCHER'
        ? giftFigures(item)?.balance
        : 1;
  return left ? (isUsedUp(item) ? 'USED' : 'ACTIVE') : 'NO_BALANCE';
}

/** Lists the vouchers that the customer holds, or answers 404. Leaves out deleted vouchers, and vouchers that another customer holds now. */
export async function listRedeemables(context: Showing, customerIdOrSourceId: string, query: ListRedeemablesQuery) {
  const { table, project, now } = context;
  const customer = await findCustomerItem(context, customerIdOrSourceId);
  if (!customer) throw notFound('customer', customerIdOrSourceId);
  const matches = query.filters && compileFilter(filterFields, query.filters);
  const isWanted: BatchFilter = async (batch) =>
    (await addCampaigns(context, batch)).map((one) => matches?.(one, now) ?? true);
  const { page, total, next } = await readListPage(
    table,
    { list: holdings, owner: [project.id, customer.id] },
    {
      ...redeemablesListed.wanted(query),
      behind: readCursor(query),
      matches: matches && isWanted,
    },
  );
  const shown = await addCampaigns(context, page);
  const items = await readPageItems(
    table,
    shown.map(({ holding }) => vouchers(project.id, holding.voucher_id)),
  );
  const byId = new Map(items.map((item) => [item.id, parseStored(voucherItem, item)]));
  const data = shown.flatMap(({ holding, campaign }) => {
    const item = byId.get(holding.voucher_id);
    const isHeld = holding.holder_role === 'REFEREE' || item?.holder_id === customer.id;
    if (!item || !isHeld || (item.campaign_id && !campaign)) return [];
    return [
      {
        id: holding.id,
        created_at: holding.created_at,
        redeemable_id: item.id,
        redeemable_object: 'voucher' as const,
        customer_id: customer.id,
        holder_role: findRole({ holding, campaign }),
        campaign_id: item.campaign_id ?? null,
        campaign_type: campaign?.campaign_type ?? null,
        voucher_type: item.type,
        redeemable: {
          type: 'voucher' as const,
          // This reply does not show the category.
          voucher: presentVoucher(item, { ...context, campaign, categories: noCategories }),
          status: findRedeemableStatus(item, campaign, now),
        },
      },
    ];
  });
  return redeemablesListed.show(data, { total, ...presentMore(next && parseHolding(next).id) });
}
