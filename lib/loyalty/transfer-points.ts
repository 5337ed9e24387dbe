import * as v from 'valibot';
import { dayOf } from '../calendar.ts';
import { campaignItem } from '../campaigns/campaign.ts';
import { categoriesItem } from '../campaigns/category.ts';
import { campaignNameItem } from '../campaigns/find-campaign.ts';
import { untilAnswered } from '../conflicts.ts';
import { eventSourceOf } from '../customers/activity.ts';
import { parseStored } from '../dynamodb.ts';
import { type ErrorKey, notFound, ServiceError } from '../errors.ts';
import type { Caller } from '../http/scope.ts';
import { newId } from '../ids.ts';
import { identifier, nullable, object, positiveInteger } from '../schema.ts';
import { type Key, keys } from '../table.ts';
import { type Context as VoucherContext, voucherKeys } from '../vouchers/find-voucher.ts';
import { presentVoucher } from '../vouchers/present-voucher.ts';
import { type Voucher, type VoucherItem, voucherItem } from '../vouchers/voucher.ts';
import { balanceOn, type Card, cardWrites, type Posting, type Programme, posted } from './card.ts';
import { firstVoucher } from './find-card.ts';
import { type LedgerEntry, ledgerEntryItem } from './ledger-entry.ts';
import { checkLoyaltyCampaign, findProgrammes } from './programme.ts';
import { settleCards } from './settle.ts';

/** A transaction takes 100 items: each source is a card and an entry, and so is the destination. */
export const maxTransferEntries = 40;

/** Contract, endpoint 8. */
export const transferBody = v.pipe(
  v.array(
    object({
      code: identifier,
      points: positiveInteger,
      /** The merchant's own transaction id: what moves points away from the card only once. */
      source_id: identifier,
      reason: nullable(v.pipe(v.string(), v.maxLength(1_000, 'must have at most 1000 characters'))),
    }),
  ),
  v.minLength(1, 'must have at least 1 entry'),
  v.maxLength(maxTransferEntries, `must have at most ${maxTransferEntries} entries`),
);

type TransferEntry = v.InferOutput<typeof transferBody>[number];

export type Context = VoucherContext & { caller: Caller };

interface Source {
  /** Place in the body. */
  place: string;
  sent: TransferEntry;
  item: VoucherItem;
}

function refuse(key: ErrorKey, faults: readonly string[], resource?: { id: string; type: string }): void {
  if (faults.length > 0) {
    throw new ServiceError(key, { details: faults.join('; '), ...(resource ? { resource } : {}) });
  }
}

function refuseCards<T extends { item: VoucherItem; place: string }>(
  key: ErrorKey,
  cards: readonly T[],
  breaks: (card: T) => string | undefined,
): void {
  const broken = cards.flatMap((card) => {
    const fault = breaks(card);
    return fault === undefined ? [] : [{ card, fault }];
  });
  const [first] = broken;
  refuse(
    key,
    broken.map(({ card, fault }) => `${card.place} ${fault}`),
    first && { id: first.card.item.code, type: 'voucher' },
  );
}

/** One call for all that is known by name: the campaign, the categories, and the cards, the destination first. */
async function readAll({ table, project }: Context, campaignIdOrName: string, codes: readonly string[]) {
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

type Seen = readonly (LedgerEntry | undefined)[];

function entryKeys({ project }: Context, sources: readonly Source[]): Key[] {
  return sources.map(({ item, sent }) => keys.pointsOut(project.id, item.id, sent.source_id));
}

/** What the sources gave away under these transaction ids before. */
async function seenBefore(context: Context, sources: readonly Source[]): Promise<Seen> {
  const items = await context.table.getMany(entryKeys(context, sources));
  return items.map((item) => item && parseStored(ledgerEntryItem, item));
}

/** Whether cards and entries were read as they are at one moment: else what looks like a refusal may be half of a repeat. */
async function isOneMoment(context: Context, sources: readonly Source[], seen: Seen): Promise<boolean> {
  const { table, project } = context;
  const cards = [...new Map(sources.map(({ item }) => [item.id, item])).values()];
  const items = await table.getAtOnce([
    ...cards.map(({ id }) => keys.voucher(project.id, id)),
    ...entryKeys(context, sources),
  ]);
  const entries = items.splice(cards.length);
  return (
    cards.every(({ revision }, index) => items[index]?.revision === revision) &&
    entries.every((entry, index) => (entry === undefined) === (seen[index] === undefined))
  );
}

function isSeenInPart(seen: Seen): boolean {
  return seen.includes(undefined) && seen.some((entry) => entry !== undefined);
}

/** `true` for a repeat of what was done (ruling E.4); refuses what was done otherwise, or in part. */
function isRepeat(destination: VoucherItem, sources: readonly Source[], seen: Seen): boolean {
  refuse(
    'duplicate_source_id',
    sources.flatMap(({ place, sent }, index) => {
      const entry = seen[index];
      return entry && (-entry.points !== sent.points || entry.about.to?.id !== destination.id)
        ? [`${place}.source_id was used for another transfer of this card, with other points or another destination`]
        : [];
    }),
  );
  if (isSeenInPart(seen)) {
    refuse(
      'duplicate_source_id',
      sources.flatMap(({ place }, index) =>
        seen[index] ? [`${place}.source_id was used in an earlier transfer; other entries are new`] : [],
      ),
    );
  }
  return !seen.includes(undefined);
}

function checkBetween(destination: VoucherItem, sources: readonly Source[]): void {
  refuseCards('invalid_payload', sources, ({ item }) =>
    item.type === 'LOYALTY_CARD' ? undefined : 'must name a loyalty card',
  );
  refuseCards('invalid_payload', sources, ({ item }) =>
    item.id === destination.id ? 'must not be the destination of the transfer' : undefined,
  );
  const firsts = new Map<string, string>();
  refuse(
    'invalid_payload',
    sources.flatMap(({ place, item, sent }) => {
      const name = `${item.id} ${sent.source_id}`;
      const first = firsts.get(name);
      if (first === undefined) firsts.set(name, place);
      return first === undefined ? [] : [`${place} repeats the code and source_id of ${first}`];
    }),
  );
}

type Placed = Card & { place: string };

/** Ruling E.3. A card takes its expiration date from its campaign where it has none of its own (ruling D.7). */
function checkUsable(cards: readonly Placed[], now: Date): void {
  const time = now.toISOString();
  refuseCards('voucher_disabled', cards, ({ item }) => (item.active === false ? 'is not active' : undefined));
  refuseCards('voucher_expired', cards, ({ item, programme }) => {
    const end = item.expiration_date ?? programme?.campaign.expiration_date;
    return end && end < time ? `has expired, on ${end}` : undefined;
  });
}

type Payer = Placed & { points: number };

/** How many points the card has, when they are too few. */
function lacks({ item, points }: Payer, now: Date): { balance: number } | undefined {
  const balance = balanceOn(dayOf(now), item);
  return points > balance ? { balance } : undefined;
}

function checkEnough(payers: readonly Payer[], now: Date): void {
  refuseCards('loyalty_card_points_exceeded', payers, (payer) => {
    const lack = lacks(payer, now);
    return lack && `names ${payer.points} points of the card ${payer.item.code}, which has ${lack.balance}`;
  });
}

/**
 * Contract, endpoint 8: all entries or none, in one transaction. A repeat with the same `source_id`s moves nothing and shows
 * the destination as it is. Errors as rulings E.3 and E.4 name them.
 */
export async function transferPoints(
  context: Context,
  campaignIdOrName: string,
  memberId: string,
  body: TransferEntry[],
): Promise<Voucher> {
  const { table, project, now, baseUrl, caller } = context;
  let programmes: Map<string, Programme> | undefined;
  return untilAnswered(async () => {
    const codes = [memberId, ...body.map(({ code }) => code)];
    const { campaign, categories, cards } = await readAll(context, campaignIdOrName, codes);
    const [destination, ...payersFound] = cards;
    checkLoyaltyCampaign(campaign, campaignIdOrName);
    if (!destination) throw notFound('voucher', memberId);
    refuse(
      'invalid_payload',
      destination.type === 'LOYALTY_CARD' ? [] : ['memberId must name a loyalty card, to which the points go'],
    );
    if (destination.campaign_id !== campaign.id) throw notFound('voucher', memberId);
    const sources = body.map((sent, index): Source => {
      const item = payersFound[index];
      if (!item) throw notFound('voucher', sent.code);
      return { place: `[${index}]`, sent, item };
    });
    checkBetween(destination, sources);

    const show = (item: VoucherItem) => presentVoucher(item, { project, campaign, categories, now, baseUrl });
    const campaignIds = [campaign.id, ...sources.map(({ item }) => item.campaign_id)];
    const [seen, found] = await Promise.all([
      seenBefore(context, sources),
      programmes ?? findProgrammes(context, campaignIds, [campaign]),
    ]);
    programmes = found;
    if (isSeenInPart(seen) && !(await isOneMoment(context, sources, seen))) return undefined;
    if (isRepeat(destination, sources, seen)) {
      // What was read beside the entries may not have had the points yet.
      const [item] = await table.getAtOnce([keys.voucher(project.id, destination.id)]);
      return show(item ? parseStored(voucherItem, item) : destination);
    }

    const programmeOf = (item: VoucherItem) => found.get(item.campaign_id ?? '');
    const target = { item: destination, programme: programmeOf(destination), place: 'the destination' };
    const payers = [...Map.groupBy(sources, ({ item }) => item.id).values()].flatMap((entries) => {
      const [first] = entries;
      if (!first) return [];
      const points = entries.reduce((sum, { sent }) => sum + sent.points, 0);
      return [{ item: first.item, programme: programmeOf(first.item), place: first.place, points, entries }];
    });
    checkUsable([target, ...payers], now);
    if (await settleCards(context, [target, ...payers])) return undefined;
    if (payers.some((payer) => lacks(payer, now)) && !(await isOneMoment(context, sources, seen))) return undefined;
    checkEnough(payers, now);
    const total = payers.reduce((sum, { points }) => sum + points, 0);
    if (destination.credited_points + total > Number.MAX_SAFE_INTEGER) {
      refuse('invalid_payload', [`the destination can't hold ${total} points more`]);
    }

    const occasion = { now, groupId: newId('group'), source: eventSourceOf(caller) };
    const given = payers.map((payer) => {
      const postings = payer.entries.map(
        ({ sent }): Posting => ({
          type: 'POINTS_TRANSFER_OUT',
          points: -sent.points,
          source_id: sent.source_id,
          reason: sent.reason,
          about: { to: { id: destination.id, code: destination.code } },
        }),
      );
      return cardWrites(project.id, posted(payer, occasion, postings), now);
    });
    const from = sources.map(({ item, sent }) => ({
      id: item.id,
      code: item.code,
      points: sent.points,
      source_id: sent.source_id,
      reason: sent.reason ?? null,
    }));
    const received: Posting = {
      type: 'POINTS_TRANSFER_IN',
      points: total,
      reason: body[0]?.reason,
      about: { from },
      ...(body.length === 1 ? { source_id: body[0]?.source_id } : {}),
    };
    const taken = cardWrites(project.id, posted(target, occasion, [received]), now);
    const { done } = await table.transact([...taken.writes, ...given.flatMap(({ writes }) => writes)]);
    return done ? show(taken.after) : undefined;
  });
}
