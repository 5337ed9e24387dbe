import * as v from 'valibot';
import { parseStored, type Table } from '../dynamodb.ts';
import { notFound } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { keys } from '../table.ts';
import type { UpdateExpression } from '../update-expression.ts';
import { type CampaignItem, campaignItem } from './campaign.ts';
import { type Category, categoriesItem } from './category.ts';

export interface Context {
  table: Table;
  project: Project;
  now: Date;
}

/** Who bears a name. */
export const campaignNameItem = v.object({ campaign_id: v.string() });

export interface FoundCampaign {
  item: CampaignItem;
  /** The project's categories, by id. */
  categories: Readonly<Record<string, Category>>;
}

/** By id or name, the id winning (ruling C.5): one call by id, two by name. 404 where there is none. */
export async function findCampaign({ table, project }: Context, idOrName: string): Promise<FoundCampaign> {
  const [stored, byId, byName] = await table.getMany([
    keys.categories(project.id),
    keys.campaign(project.id, idOrName),
    keys.campaignName(project.id, idOrName),
  ]);
  const categories = stored ? parseStored(categoriesItem, stored).items : {};
  if (byId) return { item: parseStored(campaignItem, byId), categories };
  const id = byName && parseStored(campaignNameItem, byName).campaign_id;
  const item = id === undefined ? undefined : await table.get(keys.campaign(project.id, id), campaignItem);
  if (!item) throw notFound('campaign', idOrName);
  return { item, categories };
}

/** The category that a body names by id or by name; 404 where there is none. */
export function chosenCategory(categories: FoundCampaign['categories'], named: string): Category {
  const byId = Object.hasOwn(categories, named) ? categories[named] : undefined;
  const found = byId ?? Object.values(categories).find(({ name }) => name === named);
  if (!found) throw notFound('category', named);
  return found;
}

interface CategoryChoice {
  category?: string | null | undefined;
  category_id?: string | null | undefined;
}

/** Gives the item the category that the body names, takes it away for `null`, and leaves it where neither is sent. */
export function setCategory(
  update: UpdateExpression,
  { category, category_id }: CategoryChoice,
  categories: FoundCampaign['categories'],
): void {
  const named = category_id || category;
  if (named) update.set(['category_id'], chosenCategory(categories, named).id);
  else if (category_id === null || category === null) update.remove(['category_id']);
}
