import * as v from 'valibot';
import { presentPromotionTier } from '#engine/campaigns/promotions/present-tier.ts';
import type { PromotionTierItem } from '#engine/campaigns/promotions/promotion-tier.ts';
import { presentBriefly } from '#engine/customers/brief-customer.ts';
import { presentVoucher } from '#engine/vouchers/present-voucher.ts';
import { presentPartly, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { named } from '#kernel/core/documented.ts';
import type { Showing } from '#kernel/http/context.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { showRedeemable } from '../request/show-redeemable.ts';
import { shownRedeemable } from '../request/shown-redeemable.ts';
import type { Redeemed } from './plan.ts';
import { presentRedemption, type Redemption, type RelatedObjects, redemption } from './present-redemption.ts';
import type { Use } from './redeemable-use.ts';
import { countTierFigures } from './voucher-effects.ts';

/** Answers a redemption from the items that it read and wrote, without a further read. */

export const redeemed = named(
  'Redeemed',
  v.object({
    redemptions: v.array(redemption),
    /** The parent of several. */
    parent_redemption: v.optional(redemption),
    order: v.optional(redeemedOrder),
    inapplicable_redeemables: v.array(shownRedeemable),
    /** The redeemables that the stacking rules left out. */
    skipped_redeemables: v.array(shownRedeemable),
  }),
);

function voucherAfter(
  item: VoucherItem,
  { outcome, one }: Use,
  { spent, gifts }: Pick<Redeemed, 'spent' | 'gifts'>,
  now: Date,
): VoucherItem {
  const { gift, loyalty_card: card } = outcome.result;
  const after = { ...item, redeemed_quantity: item.redeemed_quantity + 1 };
  if (gift) {
    const balance = item.gift_balance ?? item.gift?.amount ?? 0;
    const added = gifts
      .filter(({ item: { id }, posting }) => id === item.id && posting.points > 0)
      .reduce((sum, { posting }) => sum + posting.points, 0);
    return {
      ...after,
      gift_balance: balance - gift.credits + added,
      gift_credited: item.gift_credited + added,
      redeemed_amount: item.redeemed_amount + gift.credits,
      updated_at: now.toISOString(),
    };
  }
  if (!card) return after;
  const paid = spent.find(({ before }) => before.id === one.target.voucher?.id)?.after;
  const { lots, expired_points } = paid ?? item;
  const changed = paid ? { updated_at: now.toISOString() } : {};
  return { ...after, lots, expired_points, redeemed_points: item.redeemed_points + card.points, ...changed };
}

function tierAfter(tier: PromotionTierItem, use: Use): PromotionTierItem {
  const counted = countTierFigures(use);
  return {
    ...tier,
    redeemed_quantity: tier.redeemed_quantity + counted.redeemed_quantity,
    orders_amount: tier.orders_amount + counted.orders_amount,
    orders_discount_amount: tier.orders_discount_amount + counted.orders_discount_amount,
  };
}

function besideOf(context: Showing, { gathered, customer, spent, gifts }: Redeemed, use: Use): RelatedObjects {
  const { terms } = gathered;
  const { voucher, tier } = use.one.target;
  const { campaign } = use.one;
  return {
    ...(customer ? { customer: presentBriefly(customer.after) } : {}),
    ...(voucher
      ? {
          voucher: presentPartly(
            presentVoucher(voucherAfter(voucher, use, { spent, gifts }, context.now), {
              ...context,
              campaign,
              categories: terms.categories,
            }),
          ),
        }
      : {}),
    ...(tier ? { promotion_tier: presentPromotionTier(tierAfter(tier, use), terms) } : {}),
  };
}

/** Shows each redemption by itself. */
export function showEach(context: Showing, done: Redeemed): Redemption[] {
  return done.items.map((item, index) => {
    const use = done.uses[index];
    const whole = done.rewards[index]?.whole;
    const voucher = whole && presentVoucher(whole.item, { ...context, ...whole });
    return presentRedemption(
      voucher ? { ...item, reward: { ...item.reward, voucher } } : item,
      use ? besideOf(context, done, use) : {},
    );
  });
}

export function showRedeemed(
  context: Showing & { readonly requestId: string },
  done: Redeemed,
  expand: ReadonlySet<string>,
): v.InferInput<typeof redeemed> {
  const { gathered, decided, parent, order, customer } = done;
  const left = (status: 'INAPPLICABLE' | 'SKIPPED') =>
    decided.considered
      .filter(({ outcome }) => outcome.status === status)
      .map((one) => showRedeemable(one, gathered, { requestId: context.requestId, expand }));
  const brief = customer ? { customer: presentBriefly(customer.after) } : {};
  return {
    redemptions: showEach(context, done).map((one) => (expand.has('order') || !parent ? one : { ...one, order: null })),
    ...(parent ? { parent_redemption: presentRedemption(parent, brief) } : {}),
    ...(order ? { order } : {}),
    inapplicable_redeemables: left('INAPPLICABLE'),
    skipped_redeemables: left('SKIPPED'),
  };
}

/** Shows the redemption of one redeemable. */
export function showOne(context: Showing, done: Redeemed): Redemption {
  const [shown] = showEach(context, done);
  if (!shown) throw new Error('a redemption is missing in its own reply');
  return shown;
}
