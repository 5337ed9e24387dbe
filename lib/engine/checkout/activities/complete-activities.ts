import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { presentBriefly } from '#engine/customers/brief-customer.ts';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import type { ActivityItem } from '#engine/ledger/activities/activity.ts';
import { showVouchers } from '#engine/vouchers/present-voucher.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { showWithoutLines } from '../orders/order-activities.ts';
import { order } from '../orders/resource.ts';

/**
 * Completes activities, which store the ids of their objects. Lists show the current objects in their usual shapes. A deleted object keeps
 * its stored name (docs/activities.md#activities).
 */

/** Types in which the owner of the list also appears as the holder of the voucher. */
const withHolder = /^customer\.(rewarded|redemption\.|reward_redemptions\.|holder\.assignment\.)/;

type Data = Readonly<Record<string, unknown>>;

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

/** Shows a campaign without its texts and figures, as redemptions and webhooks do. */
function showCampaign({ id, name, campaign_type, type, auto_join, join_once, active, ...terms }: CampaignTerms) {
  const { category_id, start_date = null, expiration_date = null, created_at, voucher } = terms;
  return {
    ...{ id, name, campaign_type, type, auto_join, join_once, active, category_id, start_date, expiration_date },
    is_referral_code: voucher?.is_referral_code ?? campaign_type === 'REFERRAL_PROGRAM',
    created_at,
    object: 'campaign',
  };
}

/** Returns whether the activity stores its own copy of the order. An order's own activities show the order at that time. */
function isKept(key: string, value: unknown): boolean {
  return key === 'order' && typeof value === 'object' && value !== null && 'status' in value;
}

/** The keys of `data` with other customers than the owner of the list. */
const people = ['referee', 'referrer'] as const;

/** Reads the objects of activities, each once, and puts them into the places of their ids. */
export async function completeActivities(
  context: Showing,
  owner: CustomerItem,
  all: readonly ActivityItem[],
): Promise<ActivityItem[]> {
  const { table, project } = context;
  const datas: Data[] = all.map(({ data }) => data.data);
  const idsAt = (...keys: string[]) => [
    ...new Set(datas.flatMap((data) => keys.flatMap((key) => (isKept(key, data[key]) ? [] : (idOf(data[key]) ?? []))))),
  ];
  const orderIds = idsAt('order');
  const voucherIds = idsAt('voucher');
  const personIds = idsAt(...people).filter((id) => id !== owner.id);
  const campaignIds = [...all.map(({ campaign_id }) => campaign_id), ...idsAt('campaign')];
  const [found, terms] = await Promise.all([
    read(table, {
      orders: orderIds.map((id) => order.many(project.id, id)),
      vouchers: voucherIds.map((id) => vouchers(project.id, id)),
      persons: personIds.map((id) => customers(project.id, id)),
    }),
    readTerms(context, campaignIds),
  ]);
  const shown = await showVouchers(
    context,
    found.vouchers.filter((one) => one !== undefined),
  );
  const voucherOf = new Map(shown.map((one) => [one.id, one]));
  const orderOf = new Map(found.orders.flatMap((one) => (one ? [[one.id, showWithoutLines(one)] as const] : [])));
  const personOf = new Map(
    [owner, ...found.persons].flatMap((one) => (one ? [[one.id, presentBriefly(one)] as const] : [])),
  );
  return all.map((one) => {
    const { data } = one.data;
    const filled = (key: string, known: ReadonlyMap<string, object>) => {
      const instead = isKept(key, data[key]) ? undefined : known.get(idOf(data[key]) ?? '');
      return instead ? { [key]: instead } : {};
    };
    const campaign = terms.get(one.campaign_id ?? idOf(data.campaign) ?? '');
    const isHeld = withHolder.test(one.type) && data.voucher !== undefined && data.holder === undefined;
    const completed = {
      ...data,
      ...(campaign ? { campaign: showCampaign(campaign) } : {}),
      ...filled('voucher', voucherOf),
      ...filled('order', orderOf),
      ...Object.assign({}, ...people.map((key) => filled(key, personOf))),
      ...(isHeld ? { holder: presentBriefly(owner) } : {}),
    };
    return { ...one, data: { ...one.data, data: completed } };
  });
}
