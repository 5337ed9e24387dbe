import {
  type Categories,
  type CategoryChoice,
  chooseCategories,
  chooseCategory,
} from '#engine/rules/categories/resource.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';
import { type CampaignItem, campaignNames, campaigns } from './campaign.ts';

export interface FoundCampaign {
  item: CampaignItem;
  /** Holds the campaign's own category and the category that the body names. */
  categories: Categories;
  /** Inserts the category that the body names, if it is new. */
  created?: readonly Effect[];
}

/** Finds a campaign by id or name; the id wins. */
async function findItem({ table, project }: Reading, idOrName: string): Promise<CampaignItem | undefined> {
  const { byId, byName } = await read(table, {
    byId: campaigns(project.id, idOrName),
    byName: campaignNames(project.id, idOrName),
  });
  if (byId || !byName) return byId;
  return (await read(table, { named: campaigns(project.id, byName.campaign_id) })).named;
}

/** Finds a campaign by id or name, or answers 404. */
export async function campaignOr404(context: Reading, idOrName: string): Promise<CampaignItem> {
  const item = await findItem(context, idOrName);
  if (!item) throw notFound('campaign', idOrName);
  return item;
}

/** Finds a campaign with its category and the category that `choice` names. */
export async function findCampaign(
  context: Reading,
  idOrName: string,
  choice: CategoryChoice = {},
): Promise<FoundCampaign> {
  const item = await campaignOr404(context, idOrName);
  return { item, ...(await chooseCategories(context, [item.category_id], [choice])) };
}

/** Returns the id of the campaign with this id or name, if the campaign exists. */
export async function findCampaignId(context: Reading, idOrName: string): Promise<string | undefined> {
  return (await findItem(context, idOrName))?.id;
}

/** Sets the category that the body names. `null` removes the category, and a body without the fields keeps it. */
export function setCategory(
  update: Update<{ category_id?: unknown }>,
  choice: CategoryChoice,
  categories: Categories,
): void {
  const chosen = chooseCategory(categories, choice);
  if (chosen) update.set(['category_id'], chosen.id);
  else if (choice.category_id === null || choice.category === null) update.remove(['category_id']);
}
