import type * as v from 'valibot';
import { notFound } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import { present } from '../resource/shape.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import type { ItemKey } from '../table/kind.ts';
import { read } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { category } from './resource.ts';

/** As shown. */
export type Category = v.InferOutput<typeof category.reply>;

/** By id: those that a reply shows or a body names, never all of a project. */
export type Categories = Readonly<Record<string, Category>>;

/** How a body names a category: `category_id` by its id, `category` by its name, one of both. */
export interface CategoryChoice {
  category?: string | null | undefined;
  category_id?: string | null | undefined;
}

/** Where the categories with these ids stand, each once. One costs a read unit, which is what a version of all would. */
export function categoryKeys(
  projectId: string,
  ids: Iterable<string | null | undefined>,
): ItemKey<typeof category.stored>[] {
  return [...new Set(ids)].flatMap((id) => (id ? [category.few(projectId, id)] : []));
}

/** Those of the items that are there. */
export function toCategories(items: readonly (Attributes | undefined)[]): Categories {
  const found = items.flatMap((item) => (item ? [present(category, parseStored(category.stored, item))] : []));
  // An id may be a name that every object has, such as `constructor`.
  return Object.assign(Object.create(null), Object.fromEntries(found.map((one) => [one.id, one])));
}

/** The categories with these ids, and the one that a body names if it is there: one call, two for one by its name. */
export async function readCategories(
  { table, project }: { table: Table; project: Project },
  ids: Iterable<string | null | undefined>,
  { category: name, category_id }: CategoryChoice = {},
): Promise<Categories> {
  const wanted = categoryKeys(project.id, [...ids, category_id]);
  const claim = name && !category_id ? category.claim(project.id, 'name', name) : undefined;
  const found = await read(table, { stored: wanted, claim });
  const named = found.claim && (await table.getMany([category.few(project.id, found.claim.id)]));
  return toCategories([...found.stored, ...(named ?? [])]);
}

/** Of those that were read, the one that the body names; `undefined` where it names none, 404 for one that is not there. */
export function chosenCategory(
  categories: Categories,
  { category: name, category_id }: CategoryChoice,
): Category | undefined {
  const wanted = category_id || name;
  if (!wanted) return undefined;
  const found = Object.values(categories).find((one) => (category_id ? one.id : one.name) === wanted);
  if (!found) throw notFound('category', wanted);
  return found;
}
