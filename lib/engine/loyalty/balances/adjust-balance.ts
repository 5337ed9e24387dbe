import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { type Occasion, readOccasion } from '#engine/ledger/activities/activity.ts';
import { ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { voucherOr404 } from '#engine/vouchers/find-voucher.ts';
import { postToGift } from '#engine/vouchers/gift-credit.ts';
import { giftFigures, type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { positiveInteger } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { type AdjustBalanceBody, presentBalance } from './balance.ts';
import { checkAmount, countPosted, type Posted, postPoints } from './post-points.ts';

/** Keys the ledger entry that a merchant's `source_id` made, permanently, so that it changes the balance once. */
const balanceClaims = childKind(vouchers, kinds.balanceClaim, v.object({ entry: positiveInteger }));

/** Reads all items as of one moment. Otherwise a repeat could look like a too small balance. */
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

/** Answers a repeat with the entry of the first request. */
async function repeated({ table, project }: Writing, { id, code }: VoucherItem, seen: number, amount: number) {
  const { entry } = await read(table, { entry: ledgerEntryKey(project.id, id, seen) });
  if (entry?.points === amount) return presentBalance(entry);
  throw new ServiceError('duplicate_source_id', {
    details: 'source_id has changed this card by another amount',
    resource: { id: code, type: 'voucher' },
  });
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
  checkAmount(amount, { balance: figures.balance ?? 0, credited: figures.amount }, { card: item, place: 'amount' });
  const campaign = (await readTerms(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const type = amount > 0 ? 'CREDITS_ADDITION' : 'CREDITS_REMOVAL';
  return postToGift(context.project.id, { item, campaign }, occasion, { type, points: amount, ...words });
}

/** Adds to the balance of a gift card or loyalty card, or subtracts from it, once for each `source_id`. */
export async function adjustBalance(context: Writing, codeOrId: string, body: AdjustBalanceBody) {
  const { table } = context;
  const { id } = await voucherOr404(context, codeOrId);
  const occasion = readOccasion(context);
  return retryOptimistically(table, async () => {
    const { item, claim, seen } = await readCard(context, id, body);
    if (!item) throw notFound('voucher', codeOrId);
    if (seen !== undefined) return repeated(context, item, seen, body.amount);
    const { amount, ...words } = body;
    const posted =
      item.type === 'LOYALTY_CARD'
        ? await postPoints(context, item, occasion, { ...words, points: amount, place: 'amount' })
        : await creditsPosted(context, item, occasion, body);
    if (posted === again) return again;
    const claimed = claim ? [insert(claim, { entry: posted.entry.sequence })] : [];
    return (await commit(table, [...posted.effects, ...claimed, ...countPosted(context, item, body.amount)]))
      ? presentBalance(posted.entry)
      : again;
  });
}
