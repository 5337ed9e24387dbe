import * as v from 'valibot';
import { dayOf } from '../calendar.ts';
import { campaignItem } from '../campaigns/campaign.ts';
import { categoriesItem } from '../campaigns/category.ts';
import { campaignNameItem } from '../campaigns/find-campaign.ts';
import { untilAnswered } from '../conflicts.ts';
import { eventSourceOf } from '../customers/activity.ts';
import { type Attributes, parseStored } from '../dynamodb.ts';
import { type ErrorKey, notFound, ServiceError } from '../errors.ts';
import type { Caller } from '../http/scope.ts';
import { newId } from '../ids.ts';
import { identifier, nullable, object, positiveInteger } from '../schema.ts';
import { keys } from '../table.ts';
import { type Context as VoucherContext, voucherKeys } from '../vouchers/find-voucher.ts';
import { presentVoucher } from '../vouchers/present-voucher.ts';
import type { Voucher, VoucherItem } from '../vouchers/voucher.ts';
import { balanceOn, type Card, cardWrites, type Posting, posted } from './card.ts';
import { firstVoucher } from './find-card.ts';
import { ledgerEntryItem } from './ledger-entry.ts';
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

/** What stands in the ledger under the transaction ids already: an entry that was asked for before. */
function seenBefore({ table, project }: Context, sources: readonly Source[]): Promise<(Attributes | undefined)[]> {
  return table.getMany(sources.map(({ item, sent }) => keys.pointsOut(project.id, item.id, sent.source_id)));
}

/** `true` for a repeat of what was done (ruling E.4); refuses what was done otherwise, or in part. */
function isRepeat(destination: VoucherItem, sources: readonly Source[], seen: readonly (Attributes | undefined)[]) {
  const faults = sources.flatMap(({ place, sent }, index) => {
    const stored = seen[index] && parseStored(ledgerEntryItem, seen[index]);
    if (!stored) return [];
    const same = -stored.points === sent.points && stored.about.to?.id === destination.id;
    return same
      ? []
      : [
          `${place}.source_id was used for another transfer of this card, which has other points or another destination`,
        ];
  });
  refuse('duplicate_source_id', faults);
  const old = sources.filter((_, index) => seen[index] !== undefined);
  if (old.length > 0 && old.length < sources.length) {
    refuse(
      'duplicate_source_id',
      old.map(({ place }) => `${place}.source_id was used in an earlier transfer; the other entries are new`),
    );
  }
  return old.length > 0;
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

function checkEnough(spending: readonly (Placed & { points: number })[], now: Date): void {
  refuseCards('loyalty_card_points_exceeded', spending, ({ item, points }) => {
    const balance = balanceOn(dayOf(now), item);
    return points > balance ? `names ${points} points of the card ${item.code}, which has ${balance}` : undefined;
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
  return untilAnswered(async () => {
    const codes = [memberId, ...body.map(({ code }) => code)];
    const { campaign, categories, cards } = await readAll(context, campaignIdOrName, codes);
    const [destination, ...found] = cards;
    checkLoyaltyCampaign(campaign, campaignIdOrName);
    if (!destination) throw notFound('voucher', memberId);
    refuse(
      'invalid_payload',
      destination.type === 'LOYALTY_CARD' ? [] : ['memberId must name a loyalty card, to which the points go'],
    );
    if (destination.campaign_id !== campaign.id) throw notFound('voucher', memberId);
    const sources = body.map((sent, index): Source => {
      const item = found[index];
      if (!item) throw notFound('voucher', sent.code);
      return { place: `[${index}]`, sent, item };
    });
    checkBetween(destination, sources);

    const show = (item: VoucherItem) => presentVoucher(item, { project, campaign, categories, now, baseUrl });
    const [seen, programmes] = await Promise.all([
      seenBefore(context, sources),
      findProgrammes(context, [campaign.id, ...sources.map(({ item }) => item.campaign_id)], [campaign]),
    ]);
    if (isRepeat(destination, sources, seen)) return show(destination);

    const programmeOf = (item: VoucherItem) => programmes.get(item.campaign_id ?? '');
    const target = { item: destination, programme: programmeOf(destination), place: 'the destination' };
    const payers = [...Map.groupBy(sources, ({ item }) => item.id).values()].flatMap((entries) => {
      const [first] = entries;
      if (!first) return [];
      const points = entries.reduce((sum, { sent }) => sum + sent.points, 0);
      return [{ item: first.item, programme: programmeOf(first.item), place: first.place, points, entries }];
    });
    checkUsable([target, ...payers], now);
    if (await settleCards(context, [target, ...payers])) return undefined;
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
