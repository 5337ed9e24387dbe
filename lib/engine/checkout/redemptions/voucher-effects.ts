import type { Programme } from '#engine/campaigns/programme.ts';
import { promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import type { Hold } from '#engine/holds/hold.ts';
import { readTakenLock, removeLock } from '#engine/holds/locks.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard } from '#engine/ledger/card.ts';
import { removeFromFree, removeWithLastUse } from '#engine/ledger/codes/voucher-lists.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import type { GiftChange } from '#engine/vouchers/gift-credit.ts';

import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Addition, newAddition } from '#kernel/table/addition.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Update } from '#kernel/table/update.ts';
import { sumDiscount } from '../request/rule-refusal.ts';
import { isShared } from '../request/targets.ts';
import type { Use } from './redeemable-use.ts';

/** Takes uses, credits and points of vouchers, cards and promotion tiers. */

export interface TakenUse {
  /** The effects within the transaction. */
  readonly effects: readonly Effect[];
  /** The holds on shared items, before the transaction. */
  readonly held: readonly Hold[];
  /** Gift cards that pay. The transaction changes each once, whatever else it adds. */
  readonly gifts: readonly GiftChange[];
  /** Cards that pay with points. The order may also earn on them. */
  readonly spent: readonly ChangedCard<VoucherItem>[];
  /** The additions that the redemption stores, and a rollback subtracts. */
  readonly added: readonly Addition[];
}

const nothing = { effects: [], held: [], gifts: [], spent: [] };

/** The order's name in ledgers. */
export type SpentOn = LedgerEntry['about']['order'];

interface Taking {
  readonly sessionKey: string | undefined;
  readonly occasion: Occasion;
  readonly order: SpentOn;
}

function takeShared(key: ItemKey, voucher: VoucherItem, { one }: Use, { sessionKey }: Taking): TakenUse {
  const limit = voucher.redemption_quantity ?? undefined;
  const by = { redeemed_quantity: 1 };
  const { stored } = one.target;
  const held: Hold = {
    key,
    by,
    ...(limit === undefined ? {} : { max: { attribute: 'redeemed_quantity', value: limit } }),
    hasRoom: (uses) => limit === undefined || voucher.redeemed_quantity + uses <= limit,
    takes: readTakenLock(stored, sessionKey),
    read: stored,
    endedAround: one.campaign?.sessions_ended ?? 0,
    when: (update: Update<typeof vouchers.schema>) =>
      removeFromFree(update.whenThere().whenStill('active', stored?.active), voucher),
  };
  return { ...nothing, held: [held], added: [newAddition(key, by)] };
}

function requireSameUses(update: Update<typeof vouchers.schema>, stored: Attributes | undefined): void {
  update.whenThere().whenStill('active', stored?.active).whenStill('redeemed_quantity', stored?.redeemed_quantity);
}

/** Counts one more use of the item, if it is unchanged since the read. */
function used({ one }: Use, { sessionKey }: Taking, by: Readonly<Record<string, number>>) {
  const { stored } = one.target;
  return (update: Update) => {
    requireSameUses(update, stored);
    for (const [name, amount] of Object.entries(by)) update.add(name, amount);
    if (one.target.voucher) removeWithLastUse(removeFromFree(update, one.target.voucher), one.target.voucher);
    return removeLock(update, stored, sessionKey);
  };
}

function takeVoucher({ project }: Reading, voucher: VoucherItem, use: Use, taking: Taking): TakenUse {
  const key = vouchers(project.id, voucher.id);
  const { one, outcome, id } = use;
  const { gift, loyalty_card: card } = outcome.result;
  const about = { redemption: { id }, ...(taking.order ? { order: taking.order } : {}) };
  if (gift) {
    const by = { redeemed_quantity: 1, redeemed_amount: gift.credits };
    const posting = { type: 'CREDITS_REDEMPTION' as const, points: -gift.credits, about };
    const gifts = [{ item: voucher, campaign: one.campaign, posting }];
    return { ...nothing, effects: [change(key, used(use, taking, by))], gifts, added: [newAddition(key, by)] };
  }
  if (card) {
    const by = { redeemed_quantity: 1, redeemed_points: card.points };
    const programme: Programme | undefined = one.reward?.programme;
    const reward = one.reward ? { reward: { id: one.reward.reward.id, name: one.reward.reward.name } } : {};
    const posting = { type: 'POINTS_REDEMPTION' as const, points: -card.points, about: { ...about, ...reward } };
    const changed = applyPostings({ item: voucher, programme }, taking.occasion, card.points > 0 ? [posting] : []);
    return {
      ...nothing,
      effects: [change(key, used(use, taking, by))],
      spent: card.points > 0 ? [changed] : [],
      added: [newAddition(key, by)],
    };
  }
  if (isShared(one.target)) return takeShared(key, voucher, use, taking);
  const by = { redeemed_quantity: 1 };
  return { ...nothing, effects: [change(key, used(use, taking, by))], added: [newAddition(key, by)] };
}

/** Returns the additions to a tier's figures, by the order after this redeemable. */
export function countTierFigures({ outcome }: Pick<Use, 'outcome'>) {
  return {
    redeemed_quantity: 1,
    orders_amount: outcome.order.amount ?? 0,
    orders_discount_amount: sumDiscount(outcome.effects),
  };
}

function takeTier({ project }: Reading, id: string, use: Use): TakenUse {
  const key = promotionTiers(project.id, id);
  const by = countTierFigures(use);
  const { one } = use;
  const counted = Object.fromEntries(Object.entries(by).filter(([, amount]) => amount > 0));
  const { stored } = one.target;
  const held: Hold = {
    key,
    by: counted,
    read: stored,
    when: (update: Update<typeof promotionTiers.schema>) => update.whenThere().whenStill('active', stored?.active),
  };
  return { ...nothing, held: [held], added: [newAddition(key, counted)] };
}

export function takeUse(context: Reading, use: Use, taking: Taking): TakenUse {
  const { voucher, tier } = use.one.target;
  if (voucher) return takeVoucher(context, voucher, use, taking);
  if (!tier) throw new Error('what is redeemed is neither a voucher nor a promotion tier');
  return takeTier(context, tier.id, use);
}
