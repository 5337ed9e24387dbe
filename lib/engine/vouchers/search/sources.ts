import { findCampaignId } from '#engine/campaigns/find-campaign.ts';
import { listCodeIds, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { Showing } from '#kernel/http/context.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { type Entry, type Listing, type Owner, walkList } from '#kernel/table/listing.ts';
import { holdings, listedHolding } from '../held-card.ts';
import { findHolderId } from '../holder.ts';
import { type VoucherItem, voucherItem, vouchers } from '../voucher.ts';

/** Names the source of vouchers: a list in the order of creation, or a few vouchers that are read. */
export type VoucherSource =
  | { readonly list: Listing; readonly owner: Owner }
  | { readonly few: () => AsyncIterable<Entry> | Iterable<Entry> };

interface Named {
  readonly code?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly customer?: string | undefined;
  readonly campaign?: string | undefined;
  readonly campaign_id?: string | undefined;
}

interface Narrowed {
  source: VoucherSource;
  /** Tests the vouchers of a source that may also hold unwanted vouchers. */
  also: readonly ((item: VoucherItem) => boolean)[];
}

const none: Narrowed = { source: { few: () => [] }, also: [] };

const readAtOnce = 100;

/** Yields the vouchers that exist as entries, with the fields of the lists and the time of the last change. */
export async function* readVoucherEntries({ table }: Showing, keys: AsyncIterable<Key> | Iterable<Key>) {
  for await (const batch of splitIntoBatches(keys, readAtOnce)) {
    for (const [index, stored] of (await table.getMany(batch)).entries()) {
      const key = batch[index];
      if (!stored || !key) continue;
      const { id, code, type, created_at, updated_at } = parseStored(voucherItem, stored);
      const entry: Entry = { key, at: id, listed: { id, code, type, created_at, updated_at } };
      yield entry;
    }
  }
}

async function* yieldHeldKeys({ table, project }: Showing, customerId: string): AsyncGenerator<Key> {
  for await (const { listed } of walkList(table, holdings, [project.id, customerId], { descending: true })) {
    yield vouchers(project.id, parseStored(listedHolding, listed).voucher_id);
  }
}

/** Returns the narrowest source that the query names, with tests for the other names. It is empty if something named is missing. */
export async function findVoucherSource(context: Showing, query: Named): Promise<Narrowed> {
  const { project } = context;
  const { code, ids } = query;
  const named = query.campaign_id ?? query.campaign;
  const [customer, campaign] = await Promise.all([
    query.customer === undefined ? undefined : findHolderId(context, query.customer),
    named === undefined ? undefined : findCampaignId(context, named),
  ]);
  if ((query.customer !== undefined && !customer) || (named !== undefined && !campaign)) return none;

  const ofCode = code === undefined ? undefined : listCodeIds(project, code);
  const also = [
    ...(ofCode ? [({ id }: VoucherItem) => ofCode.includes(id)] : []),
    ...(customer ? [({ holder_id }: VoucherItem) => holder_id === customer] : []),
    ...(campaign ? [({ campaign_id }: VoucherItem) => campaign_id === campaign] : []),
  ];
  const wanted = ids ? new Set(ids) : ofCode ? new Set(ofCode) : undefined;
  if (wanted) {
    const keys = [...wanted].map((id) => vouchers(project.id, id));
    return { source: { few: () => readVoucherEntries(context, keys) }, also };
  }
  if (customer) return { source: { few: () => readVoucherEntries(context, yieldHeldKeys(context, customer)) }, also };
  const list = campaign ? voucherLists.ofCampaign : voucherLists.created_at;
  return { source: { list, owner: campaign ? [project.id, campaign] : [project.id] }, also: [] };
}
