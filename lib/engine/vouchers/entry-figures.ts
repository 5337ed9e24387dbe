import { defined } from '#kernel/core/defined.ts';
import type { CardEntry } from './card-entry.ts';

/** Derives the figures that follow from an entry of a voucher in a project file. */

export const figures = ['redeemed_quantity', 'redeemed_points', 'redeemed_amount'] as const;

interface FiguresEntry {
  readonly code: string;
  readonly type: string;
  readonly holder_id?: string | null | undefined;
  readonly gift?: { amount: number; balance?: number | undefined; credited?: number | undefined } | null | undefined;
  readonly loyalty_card?: CardEntry | null | undefined;
  readonly redemption?: { [name in (typeof figures)[number]]?: number | undefined } | undefined;
}

/**
 * Returns the redemption figures of an entry. An entry may count redemptions without their amount or points. Everything
 * that is no longer left then counts as redeemed, so that no rollback reduces a figure below 0.
 */
export function completeFigures({ gift, loyalty_card: card, redemption = {} }: FiguresEntry) {
  if (!redemption.redeemed_quantity) return redemption;
  const amount = gift && gift.amount + (gift.credited ?? 0) - (gift.balance ?? gift.amount);
  const lost = (card?.expired_points ?? 0) + (card?.subtracted_points ?? 0);
  const points = card && card.points - (card.balance ?? card.points) - lost;
  return defined({
    ...redemption,
    redeemed_amount: redemption.redeemed_amount ?? (amount ? Math.max(0, amount) : undefined),
    redeemed_points: redemption.redeemed_points ?? (points ? Math.max(0, points) : undefined),
  });
}

/** Lists the addends of sums that must stay exact: the points of a card, and the figures of a customer's vouchers. */
export function addends(one: FiguresEntry) {
  const { code, type, holder_id: holder, loyalty_card: card, gift } = one;
  // Pending points become points of their card, so both count in this sum.
  const ofCard = card ? [{ sum: `card ${code}`, place: 'loyalty_card.points', amount: card.points }] : [];
  if (!holder || type === 'DISCOUNT_VOUCHER') return ofCard;
  const redeemed = completeFigures(one);
  // Replies show a customer with the sums of all held vouchers.
  const held = [
    ['loyalty_card.balance', card ? (card.balance ?? card.points) : 0],
    ['gift.balance', gift ? (gift.balance ?? gift.amount) : 0],
    ...figures.map((name) => [`redemption.${name}`, redeemed[name] ?? 0] as const),
  ] as const;
  return [...ofCard, ...held.map(([place, amount]) => ({ sum: `${place} ${holder}`, place, amount }))];
}
