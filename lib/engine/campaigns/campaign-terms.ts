import type * as v from 'valibot';
import {
  type Categories,
  findCountingId,
  mergeCategories,
  readKeptCategories,
} from '#engine/rules/categories/resource.ts';
import { object } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { KeptItems } from '#kernel/table/kept.ts';
import type { Table } from '#kernel/table/table.ts';
import { campaignItem, campaigns } from './campaign.ts';

const {
  // Vouchers do not show these texts of the campaign.
  description,
  metadata,
  access_settings,
  access_settings_assignments,
  // These fields change without a new version.
  creation_status,
  vouchers_generation_status,
  vouchers_count,
  generations_open,
  generations_failed,
  codes_pending,
  modifying,
  updated_at,
  version,
  ...terms
} = campaignItem.entries;

const campaignTerms = object(terms);

/** Holds the terms that vouchers, cards and tiers inherit from a campaign. */
export type CampaignTerms = v.InferOutput<typeof campaignTerms>;

export function parseTerms(item: Attributes): CampaignTerms {
  return parseStored(campaignTerms, item);
}

export const campaignsByVersion = new KeptItems(parseTerms);

/** Returns the terms of the campaigns that exist, by id. */
export async function readTerms(
  { table, project }: { table: Table; project: { id: string } },
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, CampaignTerms>> {
  const wanted = [...new Set(ids)].flatMap((id) => (id ? [id] : []));
  const found = await campaignsByVersion.read(
    table,
    wanted.map((id) => campaigns(project.id, id)),
  );
  return new Map(wanted.flatMap((id, index) => (found[index] ? [[id, found[index]] as const] : [])));
}

type Optional = string | null | undefined;

/** Describes anything that inherits a category: a voucher, or a tier with its stack. */
export interface Inheriting {
  readonly campaign_id?: Optional;
  readonly category_id?: Optional;
  readonly stack?: { readonly category_id?: Optional } | undefined;
}

export interface InheritedTerms {
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly categories: Categories;
}

const readOwnIds = ({ category_id, stack }: Inheriting) => [category_id, stack?.category_id];

/** Returns its own category, its stack's and its campaign's. The first that exists counts. */
export function listCategoryIds(one: Inheriting, campaign: Pick<CampaignTerms, 'category_id'> | undefined): Optional[] {
  return [...readOwnIds(one), campaign?.category_id];
}

/** Reads in one call the campaigns, the other categories, and the categories that the container guesses for the campaigns. */
export async function readTermsBesideOwn(context: Reading, all: readonly Inheriting[]): Promise<InheritedTerms> {
  const { table, project } = context;
  const ids = [...new Set(all.flatMap(({ campaign_id }) => campaign_id || []))];
  const keys = ids.map((id) => campaigns(project.id, id));
  const guessed = keys.map((key) => campaignsByVersion.guess(table, key)?.category_id);
  const [found, categories] = await Promise.all([
    campaignsByVersion.read(table, keys),
    readKeptCategories(context, [...all.flatMap(readOwnIds), ...guessed]),
  ]);
  return { campaigns: new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : []))), categories };
}

/** Reads the campaigns with every category that counts, in one call if the container guesses right. */
export async function readTermsWithCategories(context: Reading, all: readonly Inheriting[]): Promise<InheritedTerms> {
  const { campaigns: known, categories } = await readTermsBesideOwn(context, all);
  const counting = all.map((one) => findCountingId(categories, listCategoryIds(one, known.get(one.campaign_id ?? ''))));
  const missing = counting.filter((id) => id !== undefined && categories[id] === undefined);
  if (missing.length === 0) return { campaigns: known, categories };
  return { campaigns: known, categories: mergeCategories(categories, await readKeptCategories(context, missing)) };
}
