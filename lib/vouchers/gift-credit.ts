import type { Occasion } from '../activities/activity.ts';
import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { changedAt } from '../codes/voucher-lists.ts';
import type { Reading } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { creditedBy, newEntry, type Posting } from '../ledger/new-entry.ts';
import { recordEntry } from '../ledger/record-entry.ts';
import { change, type Effect } from '../table/effects.ts';
import { insertHeld } from './held-card.ts';
import { newHeldVoucher } from './new-voucher.ts';
import { type Voucher, type VoucherItem, vouchers } from './voucher.ts';

/**
 * `amount`: all that the voucher was ever worth; `balance`: what is left of it; `subtracted_amount`: what is gone and was not
 * redeemed, where there is any.
 */
export function giftFigures({ gift, gift_balance, gift_credited, redeemed_amount }: VoucherItem): Voucher['gift'] {
  if (!gift) return null;
  const amount = gift.amount + gift_credited;
  const balance = gift_balance ?? gift.amount;
  const subtracted = amount - balance - redeemed_amount;
  return { ...gift, amount, balance, ...(subtracted > 0 ? { subtracted_amount: subtracted } : {}) };
}

/** A change of what a gift voucher is worth, with its entry in the ledger. The caller has seen that its balance is enough. */
export function giftPosted(
  projectId: string,
  { item, campaign }: { item: VoucherItem; campaign: { name: string } | undefined },
  occasion: Occasion,
  posting: Posting,
): { entry: LedgerEntry; effects: Effect[] } {
  const { id, holder_id } = item;
  const { amount, balance = 0 } = giftFigures(item) ?? { amount: 0 };
  const credit = creditedBy(posting);
  // What was taken away from the first amount lowers that.
  const beyond = item.gift_credited + credit;
  if (amount + credit > Number.MAX_SAFE_INTEGER) {
    throw new ServiceError('invalid_amount', { details: 'the gift voucher can not hold as much' });
  }
  const changed = { item, campaign: campaign?.name, balance: balance + posting.points, credited: amount + credit };
  const entry = newEntry(changed, occasion, posting);
  const card = vouchers(projectId, id);
  return {
    entry,
    effects: [
      change(card, (update) =>
        changedAt(update, projectId, id, occasion.now.toISOString())
          .whenThere()
          .whenStill('active', item.active ?? undefined)
          .whenStill('revision', item.revision)
          .set(['revision'], (item.revision ?? 0) + 1)
          .set(['ledger_entries'], entry.sequence)
          .set(['gift_balance'], entry.balance)
          .add('gift_credited', beyond < 0 ? -item.gift_credited : credit),
      ),
      ...(beyond < 0 && item.gift
        ? [change(card, (update) => update.set(['gift', 'amount'], (item.gift?.amount ?? 0) + beyond))]
        : []),
      ...recordEntry(projectId, holder_id ? { customerId: holder_id, card } : undefined, entry),
    ],
  };
}

/** The item of a gift voucher of the campaign that is worth the amount. */
export async function newGiftItem(
  context: Reading,
  campaign: CampaignTerms,
  holderId: string,
  { amount, except }: { amount: number; except?: ReadonlySet<string> },
): Promise<VoucherItem> {
  const making = { campaign, type: 'GIFT_VOUCHER' as const, holderId, ...(except ? { except } : {}) };
  const gift = { amount, effect: campaign.voucher?.gift?.effect };
  return { ...(await newHeldVoucher(context, making)), gift, gift_balance: amount };
}

/** The same, made for the customer. */
export async function newGift(
  context: Reading,
  campaign: CampaignTerms,
  holderId: string,
  amount: number,
): Promise<Effect[]> {
  return insertHeld(context.project.id, await newGiftItem(context, campaign, holderId, { amount }));
}
