import { findProgrammes } from '#engine/campaigns/programme.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { sumPoints } from '#engine/ledger/lots.ts';
import { postToGift } from '#engine/vouchers/gift-credit.ts';
import { giftFigures, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { settleCards } from '../settle-cards.ts';
import { countPosted } from './post-points.ts';

/** Throws a 400 if a new total of all credits leaves a negative balance. The balance changes by the same amount. */
function checkLeft(item: VoucherItem, place: string, left: number): void {
  if (left >= 0) return;
  throw new ServiceError('invalid_voucher', {
    details: `${place} must be at least ${-left} larger, because the balance would be ${left}`,
    resource: { id: item.code, type: 'voucher' },
  });
}

export function setCredits(
  context: Reading,
  { item, campaign }: { item: VoucherItem; campaign: { name: string } | undefined },
  occasion: Occasion,
  amount: number | undefined,
): readonly Effect[] {
  const figures = giftFigures(item);
  if (!figures || amount === undefined || amount === figures.amount) return [];
  const points = amount - figures.amount;
  checkLeft(item, 'gift.amount', (figures.balance ?? 0) + points);
  const type = points > 0 ? 'CREDITS_ADDITION' : 'CREDITS_REMOVAL';
  const posting = { type, points, corrects: true } as const;
  const { effects } = postToGift(context.project.id, { item, campaign }, occasion, posting);
  return [...effects, ...countPosted(context, item, points)];
}

/**
 * Sets the points of a card. Added points expire by the programme's rules. `again` means that the card was settled and must be read
 * again.
 */
export async function setPoints(
  context: Reading,
  item: VoucherItem,
  occasion: Occasion,
  credited: number | undefined,
): Promise<readonly Effect[] | Again> {
  if (credited === undefined || credited === item.credited_points) return [];
  const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const card = { item, programme };
  if (await settleCards(context, [card])) return again;
  const points = credited - item.credited_points;
  checkLeft(item, 'loyalty_card.points', sumPoints(item.lots) + points);
  const type = points > 0 ? 'POINTS_ADDITION' : 'POINTS_REMOVAL';
  const changed = applyPostings(card, occasion, [{ type, points, corrects: true }]);
  const { effects } = cardEffects(context.project.id, changed, occasion.now);
  return [...effects, ...countPosted(context, item, points)];
}
