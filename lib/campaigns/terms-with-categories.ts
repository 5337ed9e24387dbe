import type { Reading } from '../http/context.ts';
import { type Categories, countingId, mergedCategories, readKeptCategories } from '../rules/categories/category.ts';
import { campaigns } from './campaign.ts';
import { type CampaignTerms, campaignsByVersion } from './campaign-terms.ts';

type Optional = string | null | undefined;

/** What inherits a category: a voucher, or a tier with the stack by which it comes. */
export interface Inheriting {
  readonly campaign_id?: Optional;
  readonly category_id?: Optional;
  readonly stack?: { readonly category_id?: Optional } | undefined;
}

export interface Terms {
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly categories: Categories;
}

const ownIdsOf = ({ category_id, stack }: Inheriting) => [category_id, stack?.category_id];

/** Its own, that of its stack, and that of its campaign: the first that is there counts. */
export function categoryIdsOf(one: Inheriting, campaign: Pick<CampaignTerms, 'category_id'> | undefined): Optional[] {
  return [...ownIdsOf(one), campaign?.category_id];
}

/** In one call the campaigns, the categories that they don't give, and those of the campaigns that the container guesses. */
export async function readTermsBesideOwn(context: Reading, all: readonly Inheriting[]): Promise<Terms> {
  const { table, project } = context;
  const ids = [...new Set(all.flatMap(({ campaign_id }) => campaign_id || []))];
  const keys = ids.map((id) => campaigns(project.id, id));
  const guessed = keys.map((key) => campaignsByVersion.guess(table, key)?.category_id);
  const [{ found }, categories] = await Promise.all([
    campaignsByVersion.read(table, keys),
    readKeptCategories(context, [...all.flatMap(ownIdsOf), ...guessed]),
  ]);
  return { campaigns: new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : []))), categories };
}

/** Campaigns with every category that counts: in one call, where the container guesses right. */
export async function readTermsWithCategories(context: Reading, all: readonly Inheriting[]): Promise<Terms> {
  const { campaigns: known, categories } = await readTermsBesideOwn(context, all);
  const counting = all.map((one) => countingId(categories, categoryIdsOf(one, known.get(one.campaign_id ?? ''))));
  const missing = counting.filter((id) => id !== undefined && categories[id] === undefined);
  if (missing.length === 0) return { campaigns: known, categories };
  return { campaigns: known, categories: mergedCategories(categories, await readKeptCategories(context, missing)) };
}
