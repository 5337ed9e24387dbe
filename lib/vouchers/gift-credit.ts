import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { changedAt } from '../codes/voucher-lists.ts';
import { ServiceError } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { change, type Effect } from '../table/effects.ts';
import type { Table } from '../table/table.ts';
import { insertHeld } from './held-card.ts';
import { newHeldVoucher } from './new-voucher.ts';
import { type Voucher, type VoucherItem, vouchers } from './voucher.ts';

/** `amount`: all that the voucher was ever worth; `balance`: what is left of it. */
export function giftFigures({ gift, gift_balance, gift_credited }: VoucherItem): Voucher['gift'] {
  return gift ? { ...gift, amount: gift.amount + gift_credited, balance: gift_balance ?? gift.amount } : null;
}

/** Adds minor currency units to a gift voucher. */
export function giftCredit(project: Project, item: VoucherItem, amount: number, now: Date): Effect {
  const figures = giftFigures(item);
  if (!figures || figures.amount + amount > Number.MAX_SAFE_INTEGER) {
    throw new ServiceError('invalid_amount', { details: 'the gift voucher can not hold as much' });
  }
  return change(vouchers(project.id, item.id), (update) =>
    changedAt(update, project.id, item.id, now.toISOString())
      .whenThere()
      .whenStill('active', item.active ?? undefined)
      .whenStill('gift_balance', item.gift_balance)
      .set(['gift_balance'], (figures.balance ?? 0) + amount)
      .add('gift_credited', amount),
  );
}

/** A gift voucher of the campaign, made for the customer, that is worth the amount. */
export async function newGift(
  context: { table: Table; project: Project; now: Date },
  campaign: CampaignTerms,
  holderId: string,
  amount: number,
): Promise<Effect[]> {
  const item = await newHeldVoucher(context, { campaign, type: 'GIFT_VOUCHER', holderId });
  const gift = { amount, effect: campaign.voucher?.gift?.effect };
  return insertHeld(context.project.id, { ...item, gift, gift_balance: amount });
}
