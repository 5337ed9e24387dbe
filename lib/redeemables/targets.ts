import { campaigns } from '../campaigns/campaign.ts';
import { type CampaignTerms, campaignsByVersion } from '../campaigns/campaign-terms.ts';
import { type Categories, categoryKeys, readCategories, toCategories } from '../categories/category.ts';
import type { Reading } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { type PromotionTierItem, promotionTiers } from '../tiers/promotion-tier.ts';
import { voucherIds } from '../vouchers/find-voucher.ts';
import { type VoucherItem, vouchers } from '../vouchers/voucher.ts';
import type { AskedRedeemable } from './checkout-body.ts';

/** What a request's redeemables are, as they stand in the table. */

export interface Target {
  readonly asked: AskedRedeemable;
  /** Its item as it is stored, with locks and holds. */
  readonly stored?: Attributes | undefined;
  readonly voucher?: VoucherItem | undefined;
  readonly tier?: PromotionTierItem | undefined;
}

export interface Terms {
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly categories: Categories;
}

/** 400 `duplicated_redeemables` where a voucher is asked for under two of its names. */
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

/** All in one call; one that is not there has neither. 400 `duplicated_redeemables`. */
export async function readTargets({ table, project }: Reading, asked: readonly AskedRedeemable[]): Promise<Target[]> {
  const keysOf = ({ object, id }: AskedRedeemable): Key[] => {
    if (object === 'voucher') return voucherIds(project, id).map((own) => vouchers(project.id, own));
    return object === 'promotion_tier' ? [promotionTiers(project.id, id)] : [];
  };
  const keys = asked.map(keysOf);
  const items = await table.getMany(keys.flat());
  let next = 0;
  const targets = asked.map((one, index): Target => {
    const [stored] = (keys[index] ?? []).flatMap((): Attributes[] => {
      const item = items[next++];
      return item ? [item] : [];
    });
    if (!stored) return { asked: one };
    return one.object === 'voucher'
      ? { asked: one, stored, voucher: parseStored(vouchers.schema, stored) }
      : { asked: one, stored, tier: parseStored(promotionTiers.schema, stored) };
  });
  checkDistinct(targets);
  return targets;
}

export function campaignIdOf({ voucher, tier }: Target): string | undefined {
  return voucher?.campaign_id ?? tier?.campaign_id;
}

const ownCategoryIdOf = ({ voucher, tier }: Target) => voucher?.category_id ?? tier?.category_id;

/** Its own category, else that of the stack by which a tier comes, else that of its campaign. */
export function categoryIdOf(
  target: Target,
  campaign: Pick<CampaignTerms, 'category_id'> | undefined,
): string | undefined {
  return ownCategoryIdOf(target) ?? target.asked.stack?.category_id ?? campaign?.category_id ?? undefined;
}

/** Whether it is a tier of a stack that has no category of its own. */
export function hasCategoryByStack(target: Target): boolean {
  return target.asked.stack !== undefined && !ownCategoryIdOf(target);
}

/** What the container knows of their campaigns, outdated perhaps. */
export function guessedCampaigns({ table, project }: Reading, targets: readonly Target[]): Map<string, CampaignTerms> {
  const ids = new Set(targets.map(campaignIdOf));
  return new Map(
    [...ids].flatMap((id) => {
      const guess = id && campaignsByVersion.guess(table, campaigns(project.id, id));
      return guess ? [[guess.id, guess] as const] : [];
    }),
  );
}

/** Campaigns and categories in one call, where the container guesses right. */
export async function readTermsOf(context: Reading, targets: readonly Target[]): Promise<Terms> {
  const { table, project } = context;
  const guessed = guessedCampaigns(context, targets);
  const ids = [...new Set(targets.flatMap((one) => campaignIdOf(one) ?? []))];
  const wanted = (known: ReadonlyMap<string, CampaignTerms>) =>
    targets.map((one) => categoryIdOf(one, known.get(campaignIdOf(one) ?? '')));
  const { found, beside } = await campaignsByVersion.read(
    table,
    ids.map((id) => campaigns(project.id, id)),
    categoryKeys(project.id, wanted(guessed)),
  );
  const known = new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : [])));
  const categories = toCategories(beside);
  const missing = wanted(known).filter((id) => id !== undefined && !wanted(guessed).includes(id));
  return {
    campaigns: known,
    categories: missing.length === 0 ? categories : { ...categories, ...(await readCategories(context, missing)) },
  };
}
