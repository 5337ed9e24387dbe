import * as v from 'valibot';
import { count, date, nullable } from '../core/schema.ts';
import type { ItemWrite } from '../kit/entries/item-write.ts';
import type { Draft } from '../kit/entries/traits.ts';
import { cardItem } from '../ledger/card.ts';
import { earnedByMonth } from '../ledger/earned.ts';
import { type Lot, lot, pointsOf } from '../ledger/lots.ts';
import { dueAttributes } from '../table/due.ts';
import type { Attributes } from '../table/item.ts';

/** The part of a loyalty card in the entry of its voucher. */

export const loyaltyCard = v.object({
  points: count,
  balance: v.optional(count),
  next_expiration_date: nullable(date),
  next_expiration_points: nullable(count),
  /** Points that lapsed, of those that are not left. The others of a reply follow from what is there. */
  expired_points: nullable(count),
  subtracted_points: nullable(count),
  pending_points: nullable(count),
  lots: v.optional(v.array(lot)),
  /** Points that were earned, by the month (YYYY-MM). */
  earned: earnedByMonth,
  /** In which tier its member is kept; without it, where the balance puts them. */
  standing: nullable(v.object({ tier_id: v.string(), start_date: date, expiration_date: nullable(date) })),
});

type CardEntry = v.InferOutput<typeof loyaltyCard>;

/** Figures that contradict each other, in words that follow the place of the voucher. */
export function* cardFaults({ points, balance = points, lots, expired_points: expired }: CardEntry) {
  if (balance > points) yield ' must not have a loyalty_card with a balance above its points';
  if (expired && expired > Math.max(0, points - balance)) {
    yield ' must not have a loyalty_card with more expired_points than its points without its balance';
  }
  if (lots && pointsOf(lots) !== balance) yield ' must have a loyalty_card whose lots add up to its balance';
}

/** Derives the lots of a card that comes without: what a reply shows of its next expiration, and the rest without one. */
function lotsOf(card: CardEntry): Lot[] {
  if (card.lots) return card.lots;
  const balance = card.balance ?? card.points;
  const expires = card.next_expiration_date ?? null;
  const expiring = expires === null ? 0 : Math.min(card.next_expiration_points ?? 0, balance);
  return [
    { points: expiring, expires },
    { points: balance - expiring, expires: null },
  ].filter(({ points }) => points > 0);
}

export function cardAttributes(card: CardEntry, key: ItemWrite['key'], now: string): Attributes {
  const lots = lotsOf(card);
  const { standing } = card;
  return {
    credited_points: card.points,
    lots,
    opening_balance: pointsOf(lots),
    expired_points: card.expired_points ?? 0,
    earned: card.earned,
    // `undefined`: the file says nothing of it; `null`: the member is in no tier.
    standing: standing && { ...standing, expiration_date: standing.expiration_date ?? null },
    // Due at once: the job that settles cards looks at it and sets the next day.
    ...dueAttributes(key, now.slice(0, 10)),
  };
}

export function cardEntry(item: Attributes): Draft {
  const {
    credited_points: points,
    lots,
    standing,
    expired_points,
    earned,
  } = v.parse(v.pick(cardItem, ['credited_points', 'lots', 'standing', 'expired_points', 'earned']), item);
  // `lotsOf` derives the same one.
  const isOneLot = lots.length === 0 || (lots.length === 1 && lots[0]?.expires === null);
  return {
    points,
    balance: pointsOf(lots),
    ...(expired_points ? { expired_points } : {}),
    ...(earned ? { earned } : {}),
    ...(isOneLot ? {} : { lots }),
    ...(standing === undefined ? {} : { standing }),
  };
}
