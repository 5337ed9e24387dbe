import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findProgrammes } from '#engine/campaigns/programme.ts';
import { type PromotionTierItem, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard } from '#engine/ledger/card.ts';
import { listAgain } from '#engine/ledger/codes/voucher-lists.ts';
import { returnLots, sumPoints } from '#engine/ledger/lots.ts';
import type { Posting } from '#engine/ledger/new-entry.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import { isCounter } from '#engine/rules/counter.ts';
import { readExactFigures } from '#engine/vouchers/exact-figures.ts';
import { postToGift } from '#engine/vouchers/gift-credit.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { Reading } from '#kernel/http/context.ts';
import { additionKey } from '#kernel/table/addition.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { amend, change, type Effect } from '#kernel/table/effects.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { returnReward } from '../rewards/return-reward.ts';

/** A redemption with its rollback. */
export interface RolledBack extends GoingBack {
  readonly original: RedemptionItem;
  readonly rollback: RedemptionItem;
}

/** A redemption, or its part that is given back. */
export interface GoingBack {
  readonly original: RedemptionItem;
  /** The rollback, if the whole redemption is rolled back. */
  readonly rollback?: { readonly id: string } | undefined;
  /** The return of the order that gives it back. */
  readonly returnId?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns the ledger's description of the rollback, or of the return. */
function aboutOf({ original, rollback, returnId }: GoingBack) {
  return {
    redemption: { id: original.id },
    ...(rollback ? { rollback: { id: rollback.id } } : {}),
    ...(returnId === undefined ? {} : { order_return: { id: returnId } }),
    ...spentOn(original),
  };
}

function spentOn({ order }: RedemptionItem) {
  return order?.id === undefined ? {} : { order: { id: order.id, source_id: order.source_id ?? null } };
}

/** Returns spent points as their original lots. Points that would have expired are valid until this day's end. */
function pointsBack(rolled: GoingBack, { now }: Occasion): Posting {
  const { original, reason } = rolled;
  const { points = 0, lots, reward_given: given } = original;
  const about = { ...aboutOf(rolled), ...(given ? { reward: { id: given.reward_id, name: given.name } } : {}) };
  const spent = given?.spent ?? lots;
  const returned = spent ? returnLots(spent, formatDay(now)) : [{ points, expires: null }];
  return { type: 'POINTS_REFUND', points: sumPoints(returned), returned, reason, about };
}

function creditsBack(
  projectId: string,
  item: VoucherItem,
  campaign: CampaignTerms | undefined,
  rolled: GoingBack,
  occasion: Occasion,
): Effect[] {
  const { original, reason } = rolled;
  const about = aboutOf(rolled);
  const points = original.gift_credits ?? 0;
  const posting = {
    type: 'CREDITS_REFUND',
    points,
    returned: [{ points, expires: null }],
    reason,
    about,
  } as const;
  return postToGift(projectId, { item, campaign }, occasion, posting).effects;
}

/**
 * Takes back rewards. `giveBack` returns their points. 400 `invalid_redemption` if the reward was used.
 */
async function rewardsBack(
  context: Reading,
  rolled: readonly GoingBack[],
  cards: readonly MemberCard[],
  occasion: Occasion,
): Promise<Effect[] | Again> {
  const effects = await Promise.all(
    rolled.map(({ original, rollback }) => {
      const { id: redemptionId, reward_given: given, reward: shown, related_object_id } = original;
      const card = cards.find(({ item }) => item.id === related_object_id);
      const about = { redemptionId, rollbackId: rollback?.id ?? '', ...spentOn(original) };
      return given ? returnReward(context, { card, given, shown, occasion, ...about }) : [];
    }),
  );
  return effects.some((some) => some === again) ? again : effects.flatMap((some) => (some === again ? [] : some));
}

interface Vouchers {
  /** The keys of deleted items. */
  readonly gone: ReadonlySet<string>;
  /** The existing items by their keys. */
  readonly there: ReadonlyMap<string, VoucherItem>;
}

/** Takes back counters, but no counter of a deleted item or of a past period. */
async function countersBack(
  { table, project }: Reading,
  rolled: readonly GoingBack[],
  { gone, there }: Vouchers,
): Promise<Effect[]> {
  const all = rolled.flatMap(({ original }) => original.taken ?? []).filter((one) => !gone.has(keyText(one)));
  const stored = await table.getMany(all.map(additionKey));
  return all.flatMap((one, index) => {
    const item = stored[index];
    if (!item || item.deleted_at !== undefined) return [];
    const amounts = Object.entries(one.by).filter(([, by]) => by !== 0);
    const key = additionKey(one);
    if (isCounter(one)) {
      const back = Object.fromEntries(amounts.map(([name, by]) => [name, -by]));
      return amounts.length > 0 ? [amend(key, { add: back, ifThere: true })] : [];
    }
    const voucher = there.get(keyText(one));
    return amounts.map(([name, by]) =>
      change(key, (update) => {
        update.whenThere().whenStill('created_at', item.created_at).add(name, -by);
        if (!voucher) return update;
        if (name === 'redeemed_quantity') update.add('returned_quantity', by);
        return listAgain(update, project.id, voucher);
      }),
    );
  });
}

/** Returns whether the item is the redeemed item, and not a later item with the same code. */
export function isRedeemed(
  { created_at }: VoucherItem,
  { voucher_created_at: known = created_at }: RedemptionItem,
): boolean {
  return created_at === known;
}

/** Returns an item with its counters after the rollback. */
function countedBack<N extends string, I extends Readonly<Record<N, number>>>(
  item: I,
  key: Key,
  names: readonly N[],
  rolled: readonly Pick<GoingBack, 'original'>[],
): I {
  const all = rolled.flatMap(({ original }) => original.taken ?? []);
  const back = all.filter((one) => keyText(one) === keyText(key));
  const counts: Readonly<Record<N, number>> = item;
  const left = names.map((name) => [name, back.reduce((rest, { by }) => rest - (by[name] ?? 0), counts[name])]);
  return Object.assign({}, item, Object.fromEntries(left));
}

const usesOfVoucher = ['redeemed_quantity', 'redeemed_amount', 'redeemed_points'] as const;
const usesOfTier = ['redeemed_quantity', 'orders_amount', 'orders_discount_amount'] as const;

/** Returns a promotion tier with its counters after the rollback. */
export function returnTierUse(
  projectId: string,
  tier: PromotionTierItem,
  rolled: readonly RolledBack[],
): PromotionTierItem {
  return countedBack(tier, promotionTiers(projectId, tier.id), usesOfTier, rolled);
}

export interface GivenBack {
  readonly effects: readonly Effect[];
  /** The counts of limits. They may also return after the transaction. Until then limits allow fewer redemptions. */
  readonly counters: readonly Effect[];
  /** The existing vouchers after the rollback. */
  readonly vouchers: readonly VoucherItem[];
  /** Cards that get points back, for other changes of cards in the transaction. */
  readonly cards: readonly ChangedCard<VoucherItem>[];
}

/**
 * Returns what redemptions took: uses, credits, points in their original lots, and counts of limits. `again` means that cards were
 * settled first, and all must be read again. A deleted voucher gets nothing.
 */
export async function giveBack(
  context: Reading,
  rolled: readonly GoingBack[],
  occasion: Occasion,
): Promise<GivenBack | Again> {
  const { table, project } = context;
  const ofVouchers = rolled.filter(({ original }) => original.related_object_type === 'voucher');
  const { items } = await read(table, {
    items: ofVouchers.map(({ original }) => vouchers(project.id, original.related_object_id ?? '')),
  });
  const there = ofVouchers.flatMap((one, index) => {
    const item = items[index];
    return item && isRedeemed(item, one.original) ? [{ ...one, item }] : [];
  });
  const gone = ofVouchers.filter(({ original }) => there.every((one) => one.original !== original));
  const keyOf = ({ original }: GoingBack) => keyText(vouchers(project.id, original.related_object_id ?? ''));
  const ids = there.map(({ item }) => item.campaign_id);
  const withPoints = there.filter(({ item, original }) => item.type === 'LOYALTY_CARD' && original.points);
  const [terms, programmes, counters] = await Promise.all([
    readTerms(context, ids),
    findProgrammes(
      context,
      withPoints.map(({ item }) => item.campaign_id),
    ),
    countersBack(context, rolled, {
      gone: new Set(gone.map(keyOf)),
      there: new Map(there.map((one) => [keyOf(one), one.item])),
    }),
  ]);
  const cards = withPoints.map((one) => ({ ...one, programme: programmes.get(one.item.campaign_id ?? '') }));
  if (await settleCards(context, cards)) return again;
  const credited = cards.map((one) => applyPostings(one, occasion, [pointsBack(one, occasion)]));
  const ofRewards = await rewardsBack(context, ofVouchers, cards, occasion);
  if (ofRewards === again) return again;
  const gifts = there.filter(({ item, original }) => item.type === 'GIFT_VOUCHER' && original.gift_credits);
  const afterwards = ({ item, ...one }: (typeof there)[number]) => {
    const { gift_credits = 0 } = one.original;
    const card = credited.find(({ before }) => before.id === item.id)?.after;
    const isGift = item.type === 'GIFT_VOUCHER';
    const after = {
      ...(card ?? item),
      ...(isGift ? { gift_balance: (item.gift_balance ?? item.gift?.amount ?? 0) + gift_credits } : {}),
      ...(card || (isGift && gift_credits) ? { updated_at: occasion.now.toISOString() } : {}),
    };
    return countedBack(after, vouchers(project.id, item.id), usesOfVoucher, [one]);
  };
  const exact = there.map(async (one) => ({ ...one, item: await readExactFigures(context, one.item) }));
  return {
    cards: credited,
    vouchers: (await Promise.all(exact)).map(afterwards),
    counters: counters.filter(({ key }) => isCounter(key)),
    effects: [
      ...counters.filter(({ key }) => !isCounter(key)),
      ...ofRewards,
      ...gifts.flatMap(({ item, ...one }) =>
        creditsBack(project.id, item, terms.get(item.campaign_id ?? ''), one, occasion),
      ),
    ],
  };
}
