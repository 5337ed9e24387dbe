import * as v from 'valibot';
import { eventSourceOf, type Occasion } from '../activities/activity.ts';
import { readTerms } from '../campaigns/campaign-terms.ts';
import { countOf } from '../campaigns/counters.ts';
import type { Writing } from '../context.ts';
import { notFound, ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { applyPostings } from '../ledger/card.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import { type LedgerEntry, ledgerEntryKey } from '../ledger/ledger-entry.ts';
import { pointsOf } from '../ledger/lots.ts';
import { findProgrammes } from '../loyalty/programme.ts';
import { settleCards } from '../loyalty/settle.ts';
import { positiveInteger } from '../schema.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commit, type Effect, insert } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import { childKind } from '../table/kind.ts';
import { read } from '../table/read.ts';
import { voucherOr404 } from '../vouchers/find-voucher.ts';
import { giftFigures, giftPosted } from '../vouchers/gift-credit.ts';
import { type VoucherItem, vouchers } from '../vouchers/voucher.ts';
import { type AdjustBalanceBody, presentBalance } from './balance.ts';

/** Which entry of the card's ledger a merchant's `source_id` has made, for ever: it changes the balance once. */
const balanceClaims = childKind(vouchers, 'BALANCE_CLAIM', v.object({ entry: positiveInteger }));

interface Posted {
  entry: LedgerEntry;
  effects: readonly Effect[];
}

/** At one moment: what looks like too small a balance may be that of a repeat. */
async function readCard({ table, project }: Writing, id: string, { source_id: sourceId }: AdjustBalanceBody) {
  const card = vouchers(project.id, id);
  const claim = sourceId ? balanceClaims(project.id, id, sourceId) : undefined;
  const [item, claimed] = await table.getAtOnce(claim ? [card, claim] : [card]);
  return {
    item: item && parseStored(card.schema, item),
    claim,
    seen: claim && claimed && parseStored(claim.schema, claimed).entry,
  };
}

/** A repeat is answered by the entry of the first. */
async function repeated({ table, project }: Writing, { id, code }: VoucherItem, seen: number, amount: number) {
  const { entry } = await read(table, { entry: ledgerEntryKey(project.id, id, seen) });
  if (entry?.points === amount) return presentBalance(entry);
  throw new ServiceError('duplicate_source_id', {
    details: 'source_id has changed this card by another amount',
    resource: { id: code, type: 'voucher' },
  });
}

function checkAmount(amount: number, { balance, credited }: { balance: number; credited: number }, card: VoucherItem) {
  const resource = { id: card.code, type: 'voucher' };
  if (balance + amount < 0) {
    const key = card.type === 'LOYALTY_CARD' ? 'loyalty_card_points_exceeded' : 'gift_amount_exceeded';
    throw new ServiceError(key, { details: `amount takes ${-amount} from a balance of ${balance}`, resource });
  }
  const most = Number.MAX_SAFE_INTEGER - credited;
  if (amount > most) {
    throw new ServiceError('invalid_amount', {
      details: `amount must be at most ${most}: a card holds no more`,
      resource,
    });
  }
}

async function creditsPosted(
  context: Writing,
  item: VoucherItem,
  occasion: Occasion,
  { amount, ...words }: AdjustBalanceBody,
): Promise<Posted> {
  const figures = giftFigures(item);
  if (!figures) {
    const resource = { id: item.code, type: 'voucher' };
    throw new ServiceError('invalid_voucher', {
      details: 'the voucher must have a balance: a gift or points',
      resource,
    });
  }
  checkAmount(amount, { balance: figures.balance ?? 0, credited: figures.amount }, item);
  const campaign = (await readTerms(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const type = amount > 0 ? 'CREDITS_ADDITION' : 'CREDITS_REMOVAL';
  return giftPosted(context.project.id, { item, campaign }, occasion, { type, points: amount, ...words });
}

/** Points that are added expire by the rules of the programme. `undefined`: the card was settled, and is to be read again. */
async function pointsPosted(
  context: Writing,
  item: VoucherItem,
  occasion: Occasion,
  { amount, ...words }: AdjustBalanceBody,
): Promise<Posted | undefined> {
  if (!item.holder_id) {
    const resource = { id: item.code, type: 'voucher' };
    throw new ServiceError('not_published', { details: 'a loyalty card has points once somebody holds it', resource });
  }
  const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const card = { item, programme };
  if (await settleCards(context, [card])) return undefined;
  checkAmount(amount, { balance: pointsOf(item.lots), credited: item.credited_points + item.pending_points }, item);
  const type = amount > 0 ? 'POINTS_ADDITION' : 'POINTS_REMOVAL';
  const changed = applyPostings(card, occasion, [{ type, points: amount, ...words }]);
  const [entry] = changed.entries;
  return entry && { entry, effects: cardEffects(context.project.id, changed, occasion.now).effects };
}

/** Of the card's campaign: credits or points that were added, or taken away. */
function counted({ project, now }: Writing, { type, campaign_id }: VoucherItem, amount: number): Effect[] {
  if (!campaign_id) return [];
  const [added, subtracted] = [Math.max(amount, 0), Math.max(-amount, 0)];
  const isCard = type === 'LOYALTY_CARD';
  const moves = isCard
    ? { points_added: added, points_subtracted: subtracted }
    : { amount_added: added, amount_subtracted: subtracted };
  return countOf(project.id, campaign_id, now, moves);
}

/** Adds to what a gift card or loyalty card has, or takes away from it, once for each `source_id`. */
export async function adjustBalance(context: Writing, codeOrId: string, body: AdjustBalanceBody) {
  const { table, now, caller } = context;
  const { id } = await voucherOr404(context, codeOrId);
  const occasion = { now, groupId: newId('group'), source: eventSourceOf(caller) };
  return retryOptimistically(table, async () => {
    const { item, claim, seen } = await readCard(context, id, body);
    if (!item) throw notFound('voucher', codeOrId);
    if (seen !== undefined) return repeated(context, item, seen, body.amount);
    const posted = await (item.type === 'LOYALTY_CARD' ? pointsPosted : creditsPosted)(context, item, occasion, body);
    if (!posted) return undefined;
    const claimed = claim ? [insert(claim, { entry: posted.entry.sequence })] : [];
    return (await commit(table, [...posted.effects, ...claimed, ...counted(context, item, body.amount)]))
      ? presentBalance(posted.entry)
      : undefined;
  });
}
