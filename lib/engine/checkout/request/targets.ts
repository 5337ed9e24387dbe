import { campaigns } from '#engine/campaigns/campaign.ts';
import {
  type CampaignTerms,
  campaignsByVersion,
  type InheritedTerms,
  type Inheriting,
  listCategoryIds,
  readTermsWithCategories,
} from '#engine/campaigns/campaign-terms.ts';
import { findProgrammes, type Programme } from '#engine/campaigns/programme.ts';
import { type PromotionTierItem, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { countEndings, type LockReader, sumLocks } from '#engine/holds/locks.ts';
import { findRecentRead, noteRead } from '#engine/holds/recent-reads.ts';
import { computeBalance } from '#engine/ledger/card.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import { type ChosenReward, findReward, isChosen } from '#engine/loyalty/rewards/find-reward.ts';
import type { Refusal } from '#engine/rules/benefit.ts';
import {
  type Categories,
  type Category,
  findCountingCategory,
  findCountingId,
} from '#engine/rules/categories/resource.ts';
import type { CountedSubject } from '#engine/rules/counter.ts';
import { readByFormerId, type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { AskedRedeemable } from './checkout-body.ts';

/** Reads the items of a request's redeemables. */

export interface Target {
  readonly asked: AskedRedeemable;
  /** The stored item, with locks and holds. */
  readonly stored?: Attributes | undefined;
  readonly voucher?: VoucherItem | undefined;
  readonly tier?: PromotionTierItem | undefined;
}

/** Throws 400 `duplicated_redeemables` if the request names a voucher twice. */
function checkDistinct(targets: readonly Target[]): void {
  const first = new Map<string, number>();
  for (const [index, { voucher }] of targets.entries()) {
    if (!voucher) continue;
    const place = first.get(voucher.id);
    if (place !== undefined) {
      throw new ServiceError('duplicated_redeemables', {
        details: `redeemables[${index}].id is the voucher of redeemables[${place}]`,
      });
    }
    first.set(voucher.id, index);
  }
}

/**
 * Reads all in one call, except for contended codes that the container has just read (`findRecentRead`). A session always reads its
 * code. A missing redeemable has no item. 400 `duplicated_redeemables`.
 */
export async function readTargets(
  context: Reading,
  asked: readonly AskedRedeemable[],
  { isSession }: { readonly isSession: boolean },
): Promise<Target[]> {
  const { table, project } = context;
  const keysOf = ({ object, id }: AskedRedeemable): Key[] => {
    if (object === 'voucher') return voucherIds(project, id).map((own) => vouchers(project.id, own));
    return object === 'promotion_tier' ? [promotionTiers(project.id, id)] : [];
  };
  const places = asked.map((one) => {
    const keys = keysOf(one);
    const seen = isSession
      ? undefined
      : keys.map((key) => findRecentRead(context, key)).find((item) => item !== undefined);
    return { seen, keys: seen ? [] : keys };
  });
  const items = await table.getMany(places.flatMap(({ keys }) => keys));
  let next = 0;
  const found = asked.map((one, index) => {
    const read = (places[index]?.keys ?? []).flatMap((key): Attributes[] => {
      const item = items[next++];
      if (item) noteRead(context, key, item);
      return item ? [item] : [];
    });
    return { asked: one, stored: places[index]?.seen ?? read[0] };
  });
  const targets = await Promise.all(
    found.map(async ({ asked: one, stored: item }): Promise<Target> => {
      const stored = item ?? (one.object === 'voucher' ? await readByFormerId(context, one.id) : undefined);
      if (!stored) return { asked: one };
      return one.object === 'voucher'
        ? { asked: one, stored, voucher: parseStored(vouchers.schema, stored) }
        : { asked: one, stored, tier: parseStored(promotionTiers.schema, stored) };
    }),
  );
  checkDistinct(targets);
  return targets;
}

export function readCampaignId({ voucher, tier }: Target): string | undefined {
  return voucher?.campaign_id ?? tier?.campaign_id;
}

export function readInheriting(target: Target): Inheriting {
  const { voucher, tier, asked } = target;
  const { category_id } = voucher ?? tier ?? {};
  return { campaign_id: readCampaignId(target), category_id, stack: asked.stack };
}

type Campaign = Pick<CampaignTerms, 'category_id'> | undefined;

/** Returns the first existing category: the redeemable's own, its stack's, or its campaign's. */
export function findTargetCategory(target: Target, campaign: Campaign, categories: Categories): Category | undefined {
  return findCountingCategory(categories, listCategoryIds(readInheriting(target), campaign));
}

/** Returns the category's id, even if categories were not read. */
export function findTargetCategoryId(target: Target, campaign: Campaign, categories: Categories): string | undefined {
  return findCountingId(categories, listCategoryIds(readInheriting(target), campaign));
}

/** Returns whether it is a tier of a stack without a category. */
export function hasCategoryByStack(target: Target, categories: Categories): boolean {
  const { category_id, stack } = readInheriting(target);
  return stack !== undefined && findCountingId(categories, [category_id]) === undefined;
}

/** Returns the terms of the campaigns that the container knows, possibly outdated. */
export function guessCampaigns({ table, project }: Reading, targets: readonly Target[]): Map<string, CampaignTerms> {
  const ids = new Set(targets.map(readCampaignId));
  return new Map(
    [...ids].flatMap((id) => {
      const guess = id && campaignsByVersion.guess(table, campaigns(project.id, id));
      return guess ? [[guess.id, guess] as const] : [];
    }),
  );
}

export function readTargetTerms(context: Reading, targets: readonly Target[]): Promise<InheritedTerms> {
  return readTermsWithCategories(context, targets.map(readInheriting));
}

/** The caller of a request. Validations of browsers have no caller. */
export interface By {
  readonly caller?: { readonly appId: string } | undefined;
}

/** The customer of a redemption, if it exists already, and the keyed hash of the person. */
export interface CountedFor {
  readonly customerId: string | undefined;
  readonly person?: string | undefined;
}

/** Returns the subject of a redeemable's counters. */
export function countedOf({ caller }: By, target: Target, { customerId, person }: CountedFor): CountedSubject {
  const { voucher, tier, asked } = target;
  return {
    redeemable: {
      object: asked.object === 'voucher' ? 'voucher' : 'promotion_tier',
      id: voucher?.id ?? tier?.id ?? asked.id,
      created_at: voucher?.created_at,
      sessions_ended: countEndings(target.stored),
    },
    campaign_id: readCampaignId(target),
    customer: customerId,
    person,
    api_key: caller?.appId,
  };
}

/** Codes with at most this number of uses have few users, whose conflicts the transaction resolves. */
const fewUses = 10;

/**
 * Returns whether redemptions of many customers conflict on it: a promotion tier, or a code that every customer may
 * use.
 */
export function isShared({ voucher }: Pick<Target, 'voucher'>): boolean {
  if (!voucher) return true;
  const { type, holder_id, redemption_quantity: limit } = voucher;
  return type === 'DISCOUNT_VOUCHER' && !holder_id && (limit === null || limit === undefined || limit > fewUses);
}

/** The locked figure of a redeemable, and the figures on which a lock depends. */
export const lockedFigures = {
  DISCOUNT_VOUCHER: { of: 'quantity', judgedBy: ['redeemed_quantity', 'redemption_quantity'] },
  GIFT_VOUCHER: { of: 'credits', judgedBy: ['revision'] },
  LOYALTY_CARD: { of: 'points', judgedBy: ['revision'] },
} as const;

/** Returns the uses, credits or points of a voucher that other sessions lock. */
export function lockedOf({ voucher, stored }: Target, reader: LockReader): number {
  return voucher ? (sumLocks(stored, reader)[lockedFigures[voucher.type].of] ?? 0) : 0;
}

/** The use of a loyalty card's points, by the rules of its programme. */
export interface PaidReward extends ChosenReward {
  readonly programme: Programme | undefined;
}

/** The reasons why cards' rewards are unavailable, by code, if an earlier attempt found them. */
export type Refusals = ReadonlyMap<string, Refusal>;

export function isPaid(found: PaidReward | Refusal): found is PaidReward {
  return isChosen(found);
}

/** Returns the reward of each loyalty card, or why it is unavailable. Other redeemables have no reward. */
export async function findRewards(
  context: Reading,
  targets: readonly Target[],
  { session, refused }: { session: string | undefined; refused: Refusals | undefined },
): Promise<(PaidReward | Refusal | undefined)[]> {
  const cards = targets.map(({ voucher }) => (voucher?.type === 'LOYALTY_CARD' ? voucher : undefined));
  const ids = cards.flatMap((card) => card?.campaign_id ?? []);
  if (cards.every((card) => card === undefined)) return [];
  const programmes = await findProgrammes(context, ids);
  return Promise.all(
    targets.map(async (target, index) => {
      const card = cards[index];
      if (!card) return undefined;
      const late = refused?.get(card.code);
      if (late) return late;
      const programme = programmes.get(card.campaign_id ?? '');
      const { sessions_ended: endedAround = 0 } = programme?.campaign ?? {};
      const locked = lockedOf(target, { except: session, now: context.now, endedAround });
      const balance = Math.max(0, computeBalance(formatDay(context.now), card) - locked);
      const found = await findReward(context, card, programme, target.asked.reward, balance);
      return isChosen(found) ? { ...found, programme } : found;
    }),
  );
}

/** Returns the holder of the loyalty card, who is the customer if no other is named. */
export function findCardHolder(targets: readonly Target[]): string | undefined {
  const card = targets.find(({ voucher }) => voucher?.type === 'LOYALTY_CARD');
  return card?.voucher?.holder_id ?? undefined;
}
