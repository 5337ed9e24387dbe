import { campaignNames, campaigns } from '#engine/campaigns/campaign.ts';
import {
  type CampaignTerms,
  campaignsByVersion,
  listCategoryIds,
  readTerms,
} from '#engine/campaigns/campaign-terms.ts';
import { checkLoyaltyCampaign, findProgrammes, type Programme, readLoyaltyTiers } from '#engine/campaigns/programme.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import { type TransferClaim, transferClaims } from '#engine/ledger/ledger-entry.ts';
import { type Categories, readCategories } from '#engine/rules/categories/resource.ts';
import { listVoucherKeys } from '#engine/vouchers/find-voucher.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { findFirstVoucher } from './find-card.ts';
import type { TransferEntry } from './transfer-body.ts';

export interface TransferSource {
  /** The place in the body. */
  place: string;
  sent: TransferEntry;
  item: VoucherItem;
  /** The points that this transaction id has moved from the card before. */
  seen: TransferClaim | undefined;
}

/** The facts that decide a transfer. */
export interface TransferReading {
  campaign: CampaignTerms;
  /** The categories of the destination. */
  categories: Categories;
  destination: VoucherItem;
  sources: readonly TransferSource[];
  /** The programmes of all cards, by campaign id. */
  programmes: ReadonlyMap<string, Programme>;
}

/** Reads all named items in one call: the campaign, the cards, and earlier transfers with the transaction ids. */
async function readNamed(
  { table, project }: Writing,
  campaignIdOrName: string,
  memberId: string,
  body: readonly TransferEntry[],
) {
  const destinationKeys = listVoucherKeys(project, memberId);
  const sourceKeys = body.map(({ code, source_id }) =>
    voucherIds(project, code).map((id) => ({
      card: vouchers(project.id, id),
      claim: transferClaims(project.id, id, source_id),
    })),
  );
  const campaignKey = campaigns(project.id, campaignIdOrName);
  const wanted = [
    campaignNames(project.id, campaignIdOrName),
    ...destinationKeys,
    ...sourceKeys.flat().flatMap(({ card, claim }) => [card, claim]),
  ];
  const [[byId], items] = await Promise.all([campaignsByVersion.read(table, [campaignKey]), table.getMany(wanted)]);
  const found = new Map(wanted.map((key, index) => [keyText(key), items[index]]));
  const at = (key: Key) => found.get(keyText(key));

  const [byName] = items;
  const namedId = byName && parseStored(campaignNames.schema, byName).campaign_id;
  const named = namedId ? await readTerms({ table, project }, [namedId]) : undefined;
  return {
    campaign: byId ?? named?.get(namedId ?? ''),
    destination: findFirstVoucher(destinationKeys.map(at)),
    payers: sourceKeys.map((candidates) => {
      const there = candidates.find(({ card }) => at(card) !== undefined);
      const claim = there && at(there.claim);
      return {
        item: findFirstVoucher(candidates.map(({ card }) => at(card))),
        seen: claim && parseStored(transferClaims.schema, claim),
      };
    }),
  };
}

/** Reads the facts of a transfer. 404 if the campaign or a card is missing. */
export async function readTransfer(
  context: Writing,
  campaignIdOrName: string,
  memberId: string,
  body: readonly TransferEntry[],
): Promise<TransferReading> {
  const [{ campaign, destination, payers }, tiers] = await Promise.all([
    readNamed(context, campaignIdOrName, memberId, body),
    // Most paths have the id.
    readLoyaltyTiers(context, campaignIdOrName),
  ]);
  if (!campaign) throw notFound('campaign', campaignIdOrName);
  checkLoyaltyCampaign(campaign, campaignIdOrName);
  if (destination?.campaign_id !== campaign.id) throw notFound('voucher', memberId);
  const sources = body.map((sent, index): TransferSource => {
    const { item, seen } = payers[index] ?? {};
    if (!item) throw notFound('voucher', sent.code);
    return { place: `[${index}]`, sent, item, seen };
  });
  const others = sources.flatMap(({ item }) => item.campaign_id ?? []).filter((id) => id !== campaign.id);
  const [own, programmes, categories] = await Promise.all([
    campaign.id === campaignIdOrName ? tiers : readLoyaltyTiers(context, campaign.id),
    others.length > 0 ? findProgrammes(context, others) : new Map<string, Programme>(),
    readCategories(context, listCategoryIds(destination, campaign)),
  ]);
  programmes.set(campaign.id, { campaign, tiers: own });
  return { campaign, categories, destination, sources, programmes };
}

/**
 * Returns whether cards and claims were read at the same moment. A call for many items may see part of a transaction.
 * Half of a repeat would then look like a card with too few points, or like new entries.
 */
export async function isOfOneMoment(context: Writing, { sources }: TransferReading): Promise<boolean> {
  const { table, project } = context;
  const cards = [...new Map(sources.map(({ item }) => [item.id, item])).values()];
  const items = await table.getAtOnce([
    ...cards.map(({ id }) => vouchers(project.id, id)),
    ...sources.map(({ item, sent }) => transferClaims(project.id, item.id, sent.source_id)),
  ]);
  const claims = items.splice(cards.length);
  return (
    cards.every(({ revision }, index) => items[index]?.revision === revision) &&
    sources.every(({ seen }, index) => (seen === undefined) === (claims[index] === undefined))
  );
}
