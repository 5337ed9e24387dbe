import { type CampaignItem, campaignItem } from '../campaigns/campaign.ts';
import { type Category, categoriesItem } from '../campaigns/category.ts';
import { campaignNameItem } from '../campaigns/find-campaign.ts';
import { parseStored } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import { type Key, keys } from '../table.ts';
import { voucherKeys } from '../vouchers/find-voucher.ts';
import { type VoucherItem, voucherItem } from '../vouchers/voucher.ts';
import type { Programme } from './card.ts';
import { firstVoucher } from './find-card.ts';
import { type LedgerEntry, ledgerEntryItem } from './ledger-entry.ts';
import { checkLoyaltyCampaign, findProgrammes } from './programme.ts';
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

/** One call for all that is known by name: the campaign, the categories, and the cards, the destination first. */
async function readNamed({ table, project }: Context, campaignIdOrName: string, codes: readonly string[]) {
  const candidates = codes.map((code) => voucherKeys(project, code));
  const [categories, byId, byName, ...vouchers] = await table.getMany([
    keys.categories(project.id),
    keys.campaign(project.id, campaignIdOrName),
    keys.campaignName(project.id, campaignIdOrName),
    ...candidates.flat(),
  ]);
  const namedId = byName && parseStored(campaignNameItem, byName).campaign_id;
  const campaign = byId ?? (namedId && (await table.getMany([keys.campaign(project.id, namedId)]))[0]);
  if (!campaign) throw notFound('campaign', campaignIdOrName);
  return {
    campaign: parseStored(campaignItem, campaign),
    categories: categories ? parseStored(categoriesItem, categories).items : {},
    cards: candidates.map((own) => firstVoucher(vouchers.splice(0, own.length))),
  };
}

function entryKey({ project }: Context, { item, sent }: Pick<Source, 'item' | 'sent'>): Key {
  return keys.pointsOut(project.id, item.id, sent.source_id);
}

/** 404 for what is not there. The entries are read after the cards, so that a card that has paid already shows its entry. */
export async function readTransfer(
  context: Context,
  campaignIdOrName: string,
  memberId: string,
  body: readonly TransferEntry[],
): Promise<Reading> {
  const codes = [memberId, ...body.map(({ code }) => code)];
  const { campaign, categories, cards } = await readNamed(context, campaignIdOrName, codes);
  const [destination, ...found] = cards;
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  if (destination?.campaign_id !== campaign.id) throw notFound('voucher', memberId);
  const named = body.map((sent, index) => {
    const item = found[index];
    if (!item) throw notFound('voucher', sent.code);
    return { place: `[${index}]`, sent, item };
  });
  const campaignIds = [campaign.id, ...named.map(({ item }) => item.campaign_id)];
  const [entries, programmes] = await Promise.all([
    context.table.getMany(named.map((source) => entryKey(context, source))),
    findProgrammes(context, campaignIds, [campaign]),
  ]);
  const sources = named.map((source, index) => {
    const entry = entries[index];
    return { ...source, seen: entry && parseStored(ledgerEntryItem, entry) };
  });
  return { campaign, categories, destination, sources, programmes };
}

/** Whether sources and entries were read as they are at one moment: else what looks like a refusal may be half of a repeat. */
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
