import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { cardItem } from '#engine/ledger/card.ts';
import { type Lot, lot, sumPoints } from '#engine/ledger/lots.ts';
import { earnedByMonth } from '#engine/ledger/tier-rules.ts';
import { defined } from '#kernel/core/defined.ts';
import { count, date, nullable } from '#kernel/core/schema.ts';
import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import type { Draft } from '#kernel/kit/entries/traits.ts';
import { dueAttributes } from '#kernel/table/due.ts';
import type { Attributes } from '#kernel/table/item.ts';

/** Defines the part of a loyalty card in the entry of its voucher. */

export const loyaltyCard = v.object({
  points: count,
  balance: v.optional(count),
  next_expiration_date: nullable(date),
  next_expiration_points: nullable(count),
  /** Counts expired points, a part of the points that are no longer left. Other figures of a reply follow from these fields. */
  expired_points: nullable(count),
  subtracted_points: nullable(count),
  pending_points: nullable(count),
  lots: v.optional(v.array(lot)),
  /** Counts earned points by month (YYYY-MM). */
  earned: earnedByMonth,
  /** Names the tier that the member stays in. Without it, the balance decides the tier. */
  standing: nullable(v.object({ tier_id: v.string(), start_date: date, expiration_date: nullable(date) })),
});

export type CardEntry = v.InferOutput<typeof loyaltyCard>;

/** Yields figures that contradict each other. The texts follow the place of the voucher. */
export function* findCardFaults({ points, balance = points, lots, expired_points: expired }: CardEntry) {
  if (balance > points) yield ' must not have a loyalty_card with a balance above its points';
  if (expired && expired > Math.max(0, points - balance)) {
    yield ' must not have a loyalty_card with more expired_points than its points without its balance';
  }
  if (lots && sumPoints(lots) !== balance) yield ' must have a loyalty_card with lots that add up to its balance';
}

/** Derives the lots of a card without lots: the next expiration that a reply shows, and the rest without an expiration. */
function deriveLots(card: CardEntry): Lot[] {
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
  const lots = deriveLots(card);
  const { standing } = card;
  return {
    credited_points: card.points,
    lots,
    opening_balance: sumPoints(lots),
    expired_points: card.expired_points ?? 0,
    earned: card.earned,
    // `undefined` means that the file does not contain it. `null` means that the member is in no tier.
    standing: standing && { ...standing, expiration_date: standing.expiration_date ?? null },
    // Makes the card due immediately. The job that settles cards sets the next day.
    ...dueAttributes(key, now.slice(0, 10)),
  };
}

const storedLots = v.object({ lots: v.optional(v.array(lot), []), opening_balance: v.optional(count, 0) });

/** Returns the changes by lots that moved elsewhere. The ledger of the card stays, and begins with the difference. */
export function cardMoved(card: CardEntry, stored: Attributes, key: ItemWrite['key'], now: string): Attributes {
  const before = v.parse(storedLots, stored);
  const lots = deriveLots(card);
  if (isDeepStrictEqual(before.lots, lots)) return {};
  const opening_balance = before.opening_balance + sumPoints(lots) - sumPoints(before.lots);
  return { opening_balance, ...dueAttributes(key, now.slice(0, 10)) };
}

export function cardEntry(item: Attributes): Draft {
  const {
    credited_points: points,
    lots,
    standing,
    expired_points,
    earned,
  } = v.parse(v.pick(cardItem, ['credited_points', 'lots', 'standing', 'expired_points', 'earned']), item);
  // `deriveLots` derives the same lot.
  const isOneLot = lots.length === 0 || (lots.length === 1 && lots[0]?.expires === null);
  return defined({
    points,
    balance: sumPoints(lots),
    expired_points: expired_points || undefined,
    earned,
    lots: isOneLot ? undefined : lots,
    standing,
  });
}
