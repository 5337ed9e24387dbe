import { countEvents } from '#engine/campaigns/counters.ts';
import { findProgrammes } from '#engine/campaigns/programme.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { sumPoints } from '#engine/ledger/lots.ts';
import type { Posting } from '#engine/ledger/new-entry.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { settleCards } from '../settle-cards.ts';

/** Changes a card by hand: an entry of its ledger, with its consequences. */
export interface Posted {
  entry: LedgerEntry;
  effects: readonly Effect[];
}

/** The balance before the change, in points or credits. */
interface Figures {
  balance: number;
  credited: number;
}

/** Checks the amount. `place` is its place in the body. */
export function checkAmount(
  amount: number,
  { balance, credited }: Figures,
  { card, place }: { card: VoucherItem; place: string },
): void {
  const resource = { id: card.code, type: 'voucher' };
  if (balance + amount < 0) {
    const key = card.type === 'LOYALTY_CARD' ? 'loyalty_card_points_exceeded' : 'gift_amount_exceeded';
    throw new ServiceError(key, { details: `${place} removes ${-amount} from a balance of ${balance}`, resource });
  }
  const most = Number.MAX_SAFE_INTEGER - credited;
  if (amount > most) {
    const details = `${place} must be at most ${most}: a card holds no more`;
    throw new ServiceError('invalid_amount', { details, resource });
  }
}

/**
 * Posts points. Added points expire by the programme's rules unless they have a last day. `again` means that the card was settled and
 * must be read again.
 */
export async function postPoints(
  context: Writing,
  item: VoucherItem,
  occasion: Occasion,
  { place, ...change }: Pick<Posting, 'points' | 'expires' | 'source_id' | 'reason'> & { place: string },
): Promise<Posted | Again> {
  if (!item.holder_id) {
    const resource = { id: item.code, type: 'voucher' };
    throw new ServiceError('not_published', {
      details: 'the loyalty card has no holder: assign a customer first',
      resource,
    });
  }
  const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const card = { item, programme };
  if (await settleCards(context, [card])) return again;
  const figures = { balance: sumPoints(item.lots), credited: item.credited_points + item.pending_points };
  checkAmount(change.points, figures, { card: item, place });
  const type = change.points > 0 ? 'POINTS_ADDITION' : 'POINTS_REMOVAL';
  const changed = applyPostings(card, occasion, [{ type, ...change }]);
  const [entry] = changed.entries;
  if (!entry) throw new Error('points were posted without an entry');
  return { entry, effects: cardEffects(context.project.id, changed, occasion.now).effects };
}

/** Counts the credits or points for the card's campaign. */
export function countPosted({ project, now }: Reading, { type, campaign_id }: VoucherItem, amount: number): Effect[] {
  if (!campaign_id) return [];
  const [added, subtracted] = [Math.max(amount, 0), Math.max(-amount, 0)];
  const isCard = type === 'LOYALTY_CARD';
  const moves = isCard
    ? { points_added: added, points_subtracted: subtracted }
    : { amount_added: added, amount_subtracted: subtracted };
  return countEvents(project.id, campaign_id, now, moves);
}
