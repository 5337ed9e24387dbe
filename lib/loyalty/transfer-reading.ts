import { type CampaignItem, campaignItem } from '../campaigns/campaign.ts';
import { type Category, categoriesItem } from '../campaigns/category.ts';
import { campaignNameItem } from '../campaigns/find-campaign.ts';
import { parseStored } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import { type Key, keys, keyText } from '../table.ts';
import { voucherIds, voucherKeys } from '../vouchers/find-voucher.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';
import type { Programme } from './card.ts';
import { firstVoucher } from './find-card.ts';
import { type LedgerEntry, ledgerEntryItem } from './ledger-entry.ts';
import { checkLoyaltyCampaign, findProgrammes, tiersOf } from './programme.ts';
import type { Context, TransferEntry } from './transfer-points.ts';

export interface Source {
  /** Place in the body. */
  place: string;
  sent: TransferEntry;
  item: VoucherItem;
  /** What the card gave away under this transaction id before. */
  seen: LedgerEntry | undefined;
}

/** What a transfer is decided by. */
export interface Reading {
  campaign: CampaignItem;
  /** The project's categories, by id. */
  categories: Readonly<Record<string, Category>>;
  destination: VoucherItem;
  sources: readonly Source[];
  /** Of all the cards, by the id of the campaign. */
  programmes: ReadonlyMap<string, Programme>;
}

/**
 * One call for all that is known by name: the campaign, the categories, the cards, and what stands in their ledgers under the
 * transaction ids already.
 */
async function readNamed(
  { table, project }: Context,
  campaignIdOrName: string,
  memberId: string,
  body: readonly TransferEntry[],
) {
  const destinationKeys = voucherKeys(project, memberId);
  const sourceKeys = body.map(({ code, source_id }) =>
    voucherIds(project, code).map((id) => ({
      card: keys.voucher(project.id, id),
      entry: keys.pointsOut(project.id, id, source_id),
    })),
  );
  const wanted = [
    keys.categories(project.id),
    keys.campaign(project.id, campaignIdOrName),
    keys.campaignName(project.id, campaignIdOrName),
    ...destinationKeys,
    ...sourceKeys.flat().flatMap(({ card, entry }) => [card, entry]),
  ];
  const items = await table.getMany(wanted);
  const found = new Map(wanted.map((key, index) => [keyText(key), items[index]]));
  const at = (key: Key) => found.get(keyText(key));

  const [categories, byId, byName] = items;
  const namedId = byName && parseStored(campaignNameItem, byName).campaign_id;
  const campaign = byId ?? (namedId && (await table.getMany([keys.campaign(project.id, namedId)]))[0]);
  return {
    campaign: campaign && parseStored(campaignItem, campaign),
    categories: categories ? parseStored(categoriesItem, categories).items : {},
    destination: firstVoucher(destinationKeys.map(at)),
    payers: sourceKeys.map((candidates) => {
      const there = candidates.find(({ card }) => at(card) !== undefined);
      const entry = there && at(there.entry);
      return {
        item: firstVoucher(candidates.map(({ card }) => at(card))),
        seen: entry && parseStored(ledgerEntryItem, entry),
      };
    }),
  };
}

/** 404 for what is not there. */
export async function readTransfer(
  context: Context,
  campaignIdOrName: string,
  memberId: string,
  body: readonly TransferEntry[],
): Promise<Reading> {
  const [{ campaign, categories, destination, payers }, tiers] = await Promise.all([
    readNamed(context, campaignIdOrName, memberId, body),
    // Most paths have the id.
    tiersOf(context, campaignIdOrName),
  ]);
  if (!campaign) throw notFound('campaign', campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  if (destination?.campaign_id !== campaign.id) throw notFound('voucher', memberId);
  const sources = body.map((sent, index): Source => {
    const { item, seen } = payers[index] ?? {};
    if (!item) throw notFound('voucher', sent.code);
    return { place: `[${index}]`, sent, item, seen };
  });
  const others = sources.flatMap(({ item }) => item.campaign_id ?? []).filter((id) => id !== campaign.id);
  const [own, programmes] = await Promise.all([
    campaign.id === campaignIdOrName ? tiers : tiersOf(context, campaign.id),
    others.length > 0 ? findProgrammes(context, others) : new Map<string, Programme>(),
  ]);
  programmes.set(campaign.id, { campaign, tiers: own });
  return { campaign, categories, destination, sources, programmes };
}

function entryKey({ project }: Context, { item, sent }: Source): Key {
  return keys.pointsOut(project.id, item.id, sent.source_id);
}

/**
 * Whether sources and entries were read as they are at one moment. A call for many items may meet a transaction that shows in
 * some of them already: what looks like a card with too few points, or like new entries, may be half of a repeat.
 */
export async function isOfOneMoment(context: Context, { sources }: Reading): Promise<boolean> {
  const { table, project } = context;
  const cards = [...new Map(sources.map(({ item }) => [item.id, item])).values()];
  const items = await table.getAtOnce([
    ...cards.map(({ id }) => keys.voucher(project.id, id)),
    ...sources.map((source) => entryKey(context, source)),
  ]);
  const entries = items.splice(cards.length);
  return (
    cards.every(({ revision }, index) => items[index]?.revision === revision) &&
    sources.every(({ seen }, index) => (seen === undefined) === (entries[index] === undefined))
  );
}

/** The same with the cards as they are now: what changes while many change one card at the same time. */
export async function withCardsOfNow({ table, project }: Context, reading: Reading): Promise<Reading> {
  const ids = [...new Set([reading.destination, ...reading.sources.map(({ item }) => item)].map(({ id }) => id))];
  const items = await table.getMany(ids.map((id) => keys.voucher(project.id, id)));
  const now = new Map(ids.map((id, index) => [id, items[index]]));
  const current = (card: VoucherItem): VoucherItem => {
    const item = now.get(card.id);
    return item ? parseStored(voucherItem, item) : card;
  };
  return {
    ...reading,
    destination: current(reading.destination),
    sources: reading.sources.map((source) => ({ ...source, item: current(source.item) })),
  };
}
