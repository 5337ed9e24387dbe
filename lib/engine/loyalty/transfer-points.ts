import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, computeBalance } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { nextEntryId, type Posting } from '#engine/ledger/new-entry.ts';
import { findVoucherRefusal, voucherRefusalKeys } from '#engine/rules/validity/refusals.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { presentVoucher } from '#engine/vouchers/present-voucher.ts';
import { type Voucher, type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { type ErrorKey, joinFaults, ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commitApart } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { settleCards } from './settle-cards.ts';
import type { TransferEntry } from './transfer-body.ts';
import { isOfOneMoment, readTransfer, type TransferReading, type TransferSource } from './transfer-reading.ts';

function refuse(key: ErrorKey, faults: readonly string[], resource?: { id: string; type: string }): void {
  if (faults.length > 0) {
    throw new ServiceError(key, { details: joinFaults(faults), ...(resource ? { resource } : {}) });
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

function isSeenInPart(sources: readonly TransferSource[]): boolean {
  return sources.some(({ seen }) => seen) && sources.some(({ seen }) => !seen);
}

/** Returns `true` for a repeat of the same transfer. Refuses other uses of its ids. */
function isRepeat({ destination, sources }: TransferReading): boolean {
  refuse(
    'duplicate_source_id',
    sources.flatMap(({ place, sent, seen }) =>
      seen && (seen.points !== sent.points || seen.destination_id !== destination.id)
        ? [`${place}.source_id was used for another transfer of this card, with other points or another destination`]
        : [],
    ),
  );
  if (isSeenInPart(sources)) {
    refuse(
      'duplicate_source_id',
      sources.flatMap(({ place, seen }) =>
        seen ? [`${place}.source_id was used in an earlier transfer; other entries are new`] : [],
      ),
    );
  }
  return sources.every(({ seen }) => seen);
}

function checkBetween({ destination, sources }: TransferReading): void {
  refuse(
    'invalid_payload',
    destination.type === 'LOYALTY_CARD' ? [] : ['memberId must name a loyalty card, to which the points go'],
  );
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

type Placed = MemberCard & { place: string };

/** Checks the destination and every source. The first kind of fault on any card wins. */
function checkUsable(cards: readonly Placed[], now: Date): void {
  for (const key of voucherRefusalKeys) {
    refuseCards(key, cards, ({ item, programme }) => {
      const refusal = findVoucherRefusal(item, programme?.campaign, now);
      return refusal?.key === key ? refusal.fault : undefined;
    });
  }
}

/** A card with all its entries of the request. */
type Payer = Placed & { points: number; entries: readonly TransferEntry[] };

function withProgramme<T extends { item: VoucherItem; place: string }>(
  card: T,
  { programmes }: TransferReading,
): T & Placed {
  return { ...card, programme: programmes.get(card.item.campaign_id ?? '') };
}

function payersOf(reading: TransferReading): Payer[] {
  return [...Map.groupBy(reading.sources, ({ item }) => item.id).values()].flatMap((own) => {
    const entries = own.map(({ sent }) => sent);
    const points = entries.reduce((sum, entry) => sum + entry.points, 0);
    return own.slice(0, 1).map(({ item, place }) => withProgramme({ item, place, points, entries }, reading));
  });
}

/** Returns the points of the card if they do not suffice. */
function lacks({ item, points }: Payer, now: Date): { balance: number } | undefined {
  const balance = computeBalance(formatDay(now), item);
  return points > balance ? { balance } : undefined;
}

function checkEnough(payers: readonly Payer[], now: Date): void {
  refuseCards('loyalty_card_points_exceeded', payers, (payer) => {
    const lack = lacks(payer, now);
    return lack && `names ${payer.points} points of the card ${payer.item.code}, which has ${lack.balance}`;
  });
}

/** The ids of the entries of a transfer. `out` is present if only a single entry gives points. */
interface HalfIds {
  in: string;
  out: string | undefined;
}

function idsOf(target: Placed, payers: readonly Payer[], now: Date): HalfIds {
  const [payer, ...others] = payers;
  const isOne = payer?.entries.length === 1 && others.length === 0;
  return { in: nextEntryId(target.item, now), out: isOne ? nextEntryId(payer.item, now) : undefined };
}

/** Names a card in the ledger of the other card. */
function named({ id, code, campaign_id }: VoucherItem, { programmes }: TransferReading) {
  const name = programmes.get(campaign_id ?? '')?.campaign.name;
  return { id, code, ...(name === undefined ? {} : { campaign: name }), campaign_id: campaign_id ?? null };
}

function paid({ entries }: Payer, to: ReturnType<typeof named>, ids: HalfIds): Posting[] {
  return entries.map(({ points, source_id, reason }) => ({
    ...(ids.out === undefined ? {} : { id: ids.out }),
    related_id: ids.in,
    type: 'POINTS_TRANSFER_OUT',
    points: -points,
    source_id,
    reason,
    about: { to },
  }));
}

/** Makes one entry for all points of the destination, with their sources. */
function received(reading: TransferReading): Posting {
  const from = reading.sources.map(({ item, sent: { points, source_id, reason = null } }) => ({
    ...named(item, reading),
    points,
    source_id,
    reason,
  }));
  const [first] = from;
  return {
    type: 'POINTS_TRANSFER_IN',
    points: from.reduce((sum, { points }) => sum + points, 0),
    reason: first?.reason,
    ...(from.length === 1 ? { source_id: first?.source_id } : {}),
    about: { from },
  };
}

/**
 * Transfers all entries or none, in one transaction. A repeat with the same `source_id`s moves nothing and shows the destination, even if
 * the first reply was lost.
 */
export async function transferPoints(
  context: Writing,
  campaignIdOrName: string,
  memberId: string,
  body: TransferEntry[],
): Promise<Voucher> {
  const { table, project, now, baseUrl } = context;
  return retryOptimistically(table, async () => {
    const current = await readTransfer(context, campaignIdOrName, memberId, body);
    const { campaign, categories, destination, sources } = current;
    const show = (item: VoucherItem) => presentVoucher(item, { project, campaign, categories, now, baseUrl });
    checkBetween(current);
    if (isSeenInPart(sources) && !(await isOfOneMoment(context, current))) return again;
    if (isRepeat(current)) {
      // The simultaneous read of the claims may have missed the points.
      const key = vouchers(project.id, destination.id);
      const [item] = await table.getAtOnce([key]);
      return show(item ? parseStored(key.schema, item) : destination);
    }

    const target = withProgramme({ item: destination, place: 'the destination' }, current);
    const payers = payersOf(current);
    checkUsable([target, ...payers], now);
    if (await settleCards(context, [target, ...payers])) return again;
    if (payers.some((payer) => lacks(payer, now)) && !(await isOfOneMoment(context, current))) return again;
    checkEnough(payers, now);
    const credit = received(current);
    if (destination.credited_points + destination.pending_points + credit.points > Number.MAX_SAFE_INTEGER) {
      refuse('invalid_payload', [`the destination can't hold ${credit.points} points more`]);
    }

    const occasion = readOccasion(context);
    const ids = idsOf(target, payers, now);
    const half = { ...credit, id: ids.in, related_id: ids.out };
    const taken = cardEffects(project.id, applyPostings(target, occasion, [half]), now);
    const to = named(destination, current);
    const given = payers.flatMap(
      (payer) => cardEffects(project.id, applyPostings(payer, occasion, paid(payer, to, ids)), now).effects,
    );
    return (await commitApart(table, [...taken.effects, ...given])) ? show(taken.after) : again;
  });
}
