import { findCampaignId } from '#engine/campaigns/find-campaign.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import { listVoucherKeys } from '#engine/vouchers/find-voucher.ts';
import {
  customerBounds,
  type ListedPublication,
  type PublicationItem,
  type PublicationOrder,
  publicationLists,
  publications,
} from '#engine/vouchers/publication.ts';
import { voucherItem } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import type { Source } from '#kernel/table/source-page.ts';
import { findPublicationBySource } from './earlier-publications.ts';

interface Named {
  readonly source_id?: string | undefined;
  readonly voucher?: string | undefined;
  readonly customer?: string | undefined;
  readonly campaign?: string | undefined;
}

interface Narrowed {
  source: Source<PublicationOrder>;
  /** Further filters, if the source may hold other elements. */
  also?: ((one: ListedPublication) => boolean) | undefined;
}

const none: Narrowed = { source: { few: [] } };
const byTime = ['created_at', 'id'] as const;

function few({ project }: Showing, items: readonly (PublicationItem | undefined)[]): Source<PublicationOrder> {
  const entries = items.flatMap((item) =>
    item ? [{ key: publications(project.id, item.id), at: item.id, listed: item }] : [],
  );
  return { few: entries };
}

async function publicationsOf({ table, project }: Showing, codeOrId: string) {
  const [byCode, byId] = await table.getMany(listVoucherKeys(project, codeOrId));
  const stored = byCode ?? byId;
  const ids = stored ? (parseStored(voucherItem, stored).publication_ids ?? []) : [];
  return (await read(table, { found: ids.map((id) => publications(project.id, id)) })).found;
}

/** Returns the narrowest named source, with filters for the rest. A missing name gives an empty source. */
export async function findPublicationSource(
  context: Showing,
  query: Named,
  order: PublicationOrder,
): Promise<Narrowed> {
  const { project } = context;
  const [customer, campaign] = await Promise.all([
    query.customer === undefined ? undefined : findCustomerItem(context, query.customer),
    query.campaign === undefined ? undefined : findCampaignId(context, query.campaign),
  ]);
  if ((query.customer !== undefined && !customer) || (query.campaign !== undefined && !campaign)) return none;
  const isOfBoth = (one: ListedPublication) =>
    (!customer || one.customer_id === customer.id) && (!campaign || one.campaign_id === campaign);
  const also = customer || campaign ? isOfBoth : undefined;

  const { source_id, voucher } = query;
  if (source_id !== undefined || voucher !== undefined) {
    const ofVoucher = voucher === undefined ? undefined : await publicationsOf(context, voucher);
    const items = source_id === undefined ? ofVoucher : [await findPublicationBySource(context, source_id)];
    const isOfVoucher = ({ id }: PublicationItem) => ofVoucher?.some((one) => one?.id === id) ?? true;
    return {
      source: few(
        context,
        (items ?? []).filter((item) => item && isOfVoucher(item)),
      ),
      also,
    };
  }
  const lists = publicationLists;
  if (customer) {
    const orders = [...byTime, 'customer_id'] as const;
    return {
      source: { list: lists.customer_id, owner: [project.id], bounds: customerBounds(customer.id), orders },
      also,
    };
  }
  if (campaign) {
    // All elements of a campaign's list belong to it.
    return { source: { list: lists.ofCampaign, owner: [project.id, campaign], bounds: {}, orders: byTime } };
  }
  const own = order === 'customer_id' || order === 'voucher_code' ? order : undefined;
  const list = own ? lists[own] : lists.created_at;
  const counted = lists.created_at;
  return { source: { list, counted, owner: [project.id], bounds: {}, orders: own ? [own] : byTime } };
}
