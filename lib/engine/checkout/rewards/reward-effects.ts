import * as v from 'valibot';
import { type CampaignTerms, listCategoryIds } from '#engine/campaigns/campaign-terms.ts';
import { product, sku } from '#engine/catalogue/products/resource.ts';
import { presentBriefly } from '#engine/customers/brief-customer.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { type ChangedCard, computeBalance } from '#engine/ledger/card.ts';
import { type Lot, sumPoints } from '#engine/ledger/lots.ts';
import { presentReward, type RewardItem, rewards } from '#engine/loyalty/reward.ts';
import type { ChosenReward } from '#engine/loyalty/rewards/find-reward.ts';
import { type Categories, readCategories } from '#engine/rules/categories/resource.ts';
import type { GiftChange } from '#engine/vouchers/gift-credit.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { giveOfCampaign } from './give-campaign.ts';
import { type RewardGiven, rewardRedemptionId, rewardRedemptions } from './reward-redemption.ts';

/** A reward that a member gets. */
export interface Receiving {
  readonly card: MemberCard;
  readonly chosen: ChosenReward;
  readonly customer: CustomerItem;
  readonly occasion: Occasion;
  readonly redemptionId: string;
  /** The paying points, by their days of expiration. */
  readonly spent: readonly Lot[];
}

interface WholeVoucher {
  readonly item: VoucherItem;
  readonly campaign: CampaignTerms | undefined;
  readonly categories: Categories;
}

export interface Received {
  readonly effects: Effect[];
  /** Gift cards that get credits. */
  readonly gifts: readonly GiftChange[];
  /** Cards that get points, for other changes of cards in the transaction. */
  readonly credited: readonly ChangedCard<VoucherItem>[];
  /** The stored `reward` of the redemption. */
  readonly shown: Record<string, unknown>;
  /** The campaign's voucher for the member, which the reply shows whole. */
  readonly whole: WholeVoucher | undefined;
  /** The data that a return needs. */
  readonly given: RewardGiven;
  readonly customer: CustomerItem;
  /** True if the reward makes a card for the customer, which the customer's change must note. */
  readonly getsCard: boolean;
}

/** Adds the paying card to the error. */
function outOf(stock: number, { item }: MemberCard): ServiceError {
  return new ServiceError('reward_stock_exceeded', {
    details: `all ${stock} pieces of the reward were given away`,
    redeemable: { id: item.code, type: 'voucher' },
  });
}

/** Counts the reward's stock. A simultaneous change of the stock makes the caller read again. */
function taken(projectId: string, { id, stock }: RewardItem, card: MemberCard): Effect {
  const limit = stock ?? undefined;
  return change(
    rewards(projectId, id),
    (update) => {
      update.whenThere().whenStill('stock', limit).add('redeemed', 1);
      return limit === undefined ? update : update.whenBelow('redeemed', limit);
    },
    (stored) => {
      if (limit === undefined || !stored) return undefined;
      const { redeemed = 0 } = v.parse(v.object({ redeemed: v.optional(v.number()) }), stored);
      return stored.stock === limit && redeemed >= limit ? outOf(limit, card) : undefined;
    },
  );
}

function shownVoucher({ id, code, campaign_id = null }: VoucherItem, campaign: CampaignTerms | undefined) {
  return { id, code, campaign: campaign?.name ?? null, campaign_id, object: 'voucher' };
}

/** Returns the current product and SKU of the reward. */
async function goodsOf({ table, project }: Reading, { parameters: { product: goods } }: RewardItem) {
  if (!goods) return { product: null, sku: null };
  const found = await read(table, {
    product: product.many(project.id, goods.id),
    sku: goods.sku_id ? sku.few(project.id, goods.id, goods.sku_id) : undefined,
  });
  return {
    product: found.product ? presentResource(product, found.product) : null,
    sku: found.sku ? presentResource(sku, found.sku) : null,
  };
}

async function wholeOf(
  context: Reading,
  item: VoucherItem,
  campaign: CampaignTerms | undefined,
): Promise<WholeVoucher> {
  return { item, campaign, categories: await readCategories(context, listCategoryIds(item, campaign)) };
}

const typesTold = {
  MATERIAL: ['rewardRedemptionCreated', 'rewardRedemptionPending'],
  CAMPAIGN: ['rewardRedemptionCreated', 'rewardRedemptionCompleted', 'rewarded'],
  COIN: [],
} as const;

/** Shows the balance of the member's card after the payment, as transactions do. */
function paidBalance({ item }: MemberCard, spent: readonly Lot[], now: Date) {
  const points = sumPoints(spent);
  return {
    points: -points,
    total: item.credited_points,
    balance: computeBalance(formatDay(now), item) - points,
    type: 'loyalty_card',
    object: 'balance',
    related_object: { type: 'voucher', id: item.id },
  };
}

/** Records once per redemption that the member got the reward. */
function noted(projectId: string, { card, chosen, customer, occasion, redemptionId, spent }: Receiving) {
  const { reward, assignment } = chosen;
  const { type } = reward;
  if (type === 'COIN') return { effects: [], given: {} };
  const id = rewardRedemptionId(redemptionId);
  const item = {
    id,
    reward_id: reward.id,
    assignment_id: assignment.id,
    redemption_id: redemptionId,
    voucher_id: card.item.id,
    customer_id: customer.id,
    status: type === 'MATERIAL' ? 'PENDING' : 'COMPLETED',
    created_at: occasion.now.toISOString(),
  };
  const data = {
    reward: { id: reward.id, name: reward.name, object: 'reward' },
    reward_assignment: { id: assignment.id, object: 'reward_assignment' },
    reward_redemption: { id, status: item.status, object: 'reward_redemption' },
    source: { id: redemptionId, object: 'redemption' },
    redemption: { id: redemptionId, object: 'redemption' },
    voucher: { id: card.item.id, code: card.item.code, object: 'voucher' },
    balance: paidBalance(card, spent, occasion.now),
  };
  const { campaign } = card.programme ?? {};
  const told = typesTold[type].flatMap((name) =>
    recordActivity(projectId, customer.id, occasion, {
      type: activityTypes[name],
      campaign,
      code: card.item.code,
      data,
    }),
  );
  return { effects: [insert(rewardRedemptions(projectId, id), item), ...told], given: { reward_redemption_id: id } };
}

/**
 * Gives the member the paid reward, as part of the redemption's transaction, besides the posting of the points. `again` means that
 * another request was faster, or points have expired: read again. 400 if the stock is used up, or a campaign has no code left.
 */
export async function receiveReward(context: Reading, receiving: Receiving): Promise<Received | Again> {
  const { project } = context;
  const { chosen, customer, occasion, redemptionId, spent } = receiving;
  const { reward, assignment, gives, tierId = null } = chosen;
  const { id, name } = reward;
  const about = { redemption: { id: redemptionId }, reward: { id, name } };
  const amount = reward.parameters.campaign?.balance ?? 0;
  const received = gives && (await giveOfCampaign(context, gives, amount, { customer, occasion, about }));
  if (received === again) return again;
  const note = noted(project.id, receiving);
  const isMaterial = reward.type === 'MATERIAL';
  const [goods, whole] = await Promise.all([
    goodsOf(context, reward),
    received && wholeOf(context, received.voucher, gives?.campaign),
  ]);
  return {
    effects: [
      ...(received?.effects ?? []),
      ...(isMaterial ? [taken(project.id, reward, receiving.card)] : []),
      ...note.effects,
    ],
    gifts: received?.gifts ?? [],
    credited: received?.credited ?? [],
    shown: {
      ...presentReward(reward),
      customer: presentBriefly(customer),
      assignment_id: assignment.id,
      voucher: received ? shownVoucher(received.voucher, gives?.campaign) : null,
      ...goods,
      loyalty_tier_id: tierId,
    },
    whole,
    given: {
      reward_id: id,
      name,
      assignment_id: assignment.id,
      spent: [...spent],
      ...(isMaterial ? { stock: 1 } : {}),
      ...note.given,
      ...received?.given,
    },
    customer,
    getsCard: received?.getsCard ?? false,
  };
}
