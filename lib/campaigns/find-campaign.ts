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

/** Who bears a name. */
export const campaignNameItem = v.object({ campaign_id: v.string() });

export interface FoundCampaign {
  item: CampaignItem;
  /** Its own and the one that the body names. */
  categories: Categories;
  /** Inserts the category that the body names, where it is new. */
  created?: readonly Effect[];
}

/** By id or name, the id winning; 404 where there is no campaign. */
export async function campaignOr404({ table, project }: Reading, idOrName: string): Promise<CampaignItem> {
  const [byId, byName] = await table.getMany([campaigns(project.id, idOrName), campaignNames(project.id, idOrName)]);
  const id = !byId && byName ? parseStored(campaignNameItem, byName).campaign_id : undefined;
  const stored = id === undefined ? byId : (await table.getMany([campaigns(project.id, id)]))[0];
  if (!stored) throw notFound('campaign', idOrName);
  return parseStored(campaignItem, stored);
}

/** The same with its category and the one that `choice` names. */
export async function findCampaign(
  context: Reading,
  idOrName: string,
  choice: CategoryChoice = {},
): Promise<FoundCampaign> {
  const item = await campaignOr404(context, idOrName);
  return { item, ...(await chooseCategories(context, [item.category_id], [choice])) };
}

/** The id of the campaign with this id or name, of one that is there. */
export async function findCampaignId({ table, project }: Reading, idOrName: string): Promise<string | undefined> {
  const { byId, byName } = await read(table, {
    byId: campaigns(project.id, idOrName),
    byName: campaignNames(project.id, idOrName),
  });
  if (byId || !byName) return byId?.id;
  return (await read(table, { named: campaigns(project.id, byName.campaign_id) })).named?.id;
}

/** Sets the category that the body names, removes it for `null`, and keeps it where neither is sent. */
export function setCategory(update: Update, choice: CategoryChoice, categories: Categories): void {
  const chosen = chosenCategory(categories, choice);
  if (chosen) update.set(['category_id'], chosen.id);
  else if (choice.category_id === null || choice.category === null) update.remove(['category_id']);
}
