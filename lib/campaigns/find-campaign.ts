import * as v from 'valibot';
import { notFound } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { type Categories, type CategoryChoice, chosenCategory } from '../rules/categories/category.ts';
import { chooseCategories } from '../rules/categories/choose.ts';
import type { Effect } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import { read } from '../table/read.ts';
import type { Update } from '../table/update.ts';
import { type CampaignItem, campaignItem, campaignNames, campaigns } from './campaign.ts';

/** Holds the owner of a campaign's name. */
export const campaignNameItem = v.object({ campaign_id: v.string() });

export interface FoundCampaign {
  item: CampaignItem;
  /** Holds the campaign's own category and the category that the body names. */
  categories: Categories;
  /** Inserts the category that the body names, if it is new. */
  created?: readonly Effect[];
}

/** Finds a campaign by id or name; the id wins. Answers 404 if no campaign matches. */
export async function campaignOr404({ table, project }: Reading, idOrName: string): Promise<CampaignItem> {
  const [byId, byName] = await table.getMany([campaigns(project.id, idOrName), campaignNames(project.id, idOrName)]);
  const id = !byId && byName ? parseStored(campaignNameItem, byName).campaign_id : undefined;
  const stored = id === undefined ? byId : (await table.getMany([campaigns(project.id, id)]))[0];
  if (!stored) throw notFound('campaign', idOrName);
  return parseStored(campaignItem, stored);
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
export async function findCampaignId({ table, project }: Reading, idOrName: string): Promise<string | undefined> {
  const { byId, byName } = await read(table, {
    byId: campaigns(project.id, idOrName),
    byName: campaignNames(project.id, idOrName),
  });
  if (byId || !byName) return byId?.id;
  return (await read(table, { named: campaigns(project.id, byName.campaign_id) })).named?.id;
}

/** Sets the category that the body names. `null` removes the category, and a body without the fields keeps it. */
export function setCategory(update: Update, choice: CategoryChoice, categories: Categories): void {
  const chosen = chosenCategory(categories, choice);
  if (chosen) update.set(['category_id'], chosen.id);
  else if (choice.category_id === null || choice.category === null) update.remove(['category_id']);
}
