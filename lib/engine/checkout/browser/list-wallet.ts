import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import { findRedeemableStatus } from '#engine/customers/list-redeemables.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { holdings, listedHolding } from '#engine/vouchers/held-card.ts';
import { showVouchers } from '#engine/vouchers/present-voucher.ts';
import { type VoucherItem, voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { reference } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { computeOffset, pageQuery, readPageItems } from '#kernel/http/page.ts';
import { parseStored } from '#kernel/table/item.ts';
import { readListPage } from '#kernel/table/list-page.ts';
import type { Entry } from '#kernel/table/listing.ts';
import { clientVoucher } from './client-voucher.ts';

/** Shows a page the vouchers that a customer holds and can use now. */

/** Limits the vouchers of one customer that a request examines, the newest first. */
const maxLookedAt = 500;

export const walletQuery = v.object({
  ...pageQuery,
  customer: described(reference, 'The id or the source id of the customer who holds the vouchers.'),
  campaign: described(v.optional(reference), 'Only vouchers of the campaign with this name or id.'),
});

export const wallet = v.object({
  object: v.literal('list'),
  data_ref: v.literal('vouchers'),
  vouchers: v.array(clientVoucher),
  total: v.number(),
});

/** Reads the vouchers of holdings, without those that the customer does not own or cannot use now. */
async function readUsable(
  context: Showing,
  { holderId, campaign: wanted }: { holderId: string; campaign: string | undefined },
  batch: readonly Entry[],
) {
  const { table, project, now } = context;
  const ids = batch.map(({ listed }) => parseStored(listedHolding, listed).voucher_id);
  const stored = await readPageItems(
    table,
    ids.map((id) => vouchers(project.id, id)),
  );
  const items = stored.map((item) => parseStored(voucherItem, item));
  const campaigns = await readTerms(
    context,
    items.map(({ campaign_id }) => campaign_id),
  );
  const usable = items.filter((item) => {
    const campaign = campaigns.get(item.campaign_id ?? '');
    const isOwn = item.holder_id === holderId && (campaign !== undefined || !item.campaign_id);
    const isOfWanted = wanted === undefined || (campaign && [campaign.name, campaign.id].includes(wanted));
    return (
      isOwn &&
      isOfWanted &&
      findRedeemableStatus(item, campaign, now) === 'ACTIVE' &&
      !findVoucherRefusal(item, campaign, now)
    );
  });
  const byId = new Map(usable.map((item) => [item.id, item]));
  return ids.map((id) => byId.get(id));
}

/** Lists nothing for an unknown customer, so the reply does not reveal which customers exist. */
export async function listWalletForBrowser(
  context: Showing,
  { customer: name, ...query }: v.InferOutput<typeof walletQuery>,
): Promise<v.InferInput<typeof wallet>> {
  const nothing = { object: 'list' as const, data_ref: 'vouchers' as const, vouchers: [], total: 0 };
  const customer = await findCustomerItem(context, name);
  if (!customer) return nothing;
  const found = new Map<Entry, VoucherItem>();
  const { page, total } = await readListPage(
    context.table,
    { list: holdings, owner: [context.project.id, customer.id] },
    {
      descending: true,
      limit: query.limit,
      offset: computeOffset(query),
      atMost: maxLookedAt,
      matches: async (batch) => {
        const items = await readUsable(context, { holderId: customer.id, campaign: query.campaign }, batch);
        for (const [index, entry] of batch.entries()) {
          const item = items[index];
          if (item) found.set(entry, item);
        }
        return items.map((item) => item !== undefined);
      },
    },
  );
  const shown = await showVouchers(
    context,
    page.flatMap((entry) => found.get(entry) ?? []),
  );
  return { ...nothing, vouchers: shown, total };
}
