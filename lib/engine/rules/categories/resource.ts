import type * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { count, identifier } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { claimKey } from '#kernel/kit/resource/claims.ts';
import { required, resource } from '#kernel/kit/resource/resource.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';

/** A category in replies. */
export type Category = v.InferOutput<typeof category.reply>;

/** Categories by id: those that a reply or a body needs, never all of a project. `null` means missing. */
export type Categories = Readonly<Record<string, Category | null>>;

type Optional = string | null | undefined;

export function mergeCategories(...all: readonly Categories[]): Categories {
  // An id may be a name that every object has, such as `constructor`.
  return Object.assign(Object.create(null), ...all);
}

/** No categories, if none are needed. */
export const noCategories = mergeCategories();

/** Returns the first category that is not known to be missing. */
export function findCountingId(categories: Categories, ids: readonly Optional[]): string | undefined {
  return ids.find((id) => id && categories[id] !== null) ?? undefined;
}

/** Returns the effective category, if it was read. */
export function findCountingCategory(categories: Categories, ids: readonly Optional[]): Category | undefined {
  return categories[findCountingId(categories, ids) ?? ''] ?? undefined;
}

/** Names a category: `category_id` by its id, or `category` by its name. */
export interface CategoryChoice {
  category?: string | null | undefined;
  category_id?: string | null | undefined;
}

/** Categories to read together with other items. One costs a read unit, as much as a version of all would. */
export interface WantedCategories {
  /** The keys of the categories, each once. */
  readonly keys: readonly ItemKey<typeof category.stored>[];
  /** Returns the categories from the items that were read. */
  readonly of: (items: readonly (Attributes | undefined)[]) => Categories;
}

export function planCategories(projectId: string, wanted: Iterable<Optional>): WantedCategories {
  const ids = [...new Set(wanted)].flatMap((id) => (id ? [id] : []));
  const shown = (item: Attributes | undefined) =>
    item ? presentResource(category, parseStored(category.stored, item)) : null;
  return {
    keys: ids.map((id) => category.few(projectId, id)),
    of: (items) => mergeCategories(Object.fromEntries(ids.map((id, index) => [id, shown(items[index])]))),
  };
}

const keptCategories = new Kept<Category | null>();

/** Reads categories, which containers keep. */
export async function readKeptCategories(
  context: { table: Table; project: Pick<Project, 'id'>; now: Date },
  wanted: Iterable<Optional>,
): Promise<Categories> {
  const ids = [...new Set(wanted)].flatMap((id) => (id ? [id] : []));
  if (ids.length === 0) return noCategories;
  const { table, project } = context;
  const kept = readFamily(context, 'terms');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: category.few(project.id, id) });
    return found ? presentResource(category, found) : null;
  };
  const found = await Promise.all(
    ids.map(async (id) => [id, await keptCategories.get(kept, id, () => readOne(id))] as const),
  );
  return mergeCategories(Object.fromEntries(found));
}

/** Reads the categories with these ids, and the category that a body names. This needs one call, or two for a name. */
export async function readCategories(
  { table, project }: { table: Table; project: Project },
  ids: Iterable<Optional>,
  { category: name, category_id }: CategoryChoice = {},
): Promise<Categories> {
  const wanted = planCategories(project.id, [...ids, category_id]);
  const claim = name && !category_id ? category.claim(project.id, 'name', name) : undefined;
  const found = await read(table, { stored: wanted.keys, claim });
  const categories = wanted.of(found.stored);
  if (!found.claim) return categories;
  return mergeCategories(categories, await readCategories({ table, project }, [found.claim.id]));
}

/** Returns the category that the body names, or `undefined` if it names no category. 404 if it is missing. */
export function chooseCategory(
  categories: Categories,
  { category: name, category_id }: CategoryChoice,
): Category | undefined {
  const wanted = category_id || name;
  if (!wanted) return undefined;
  const found = Object.values(categories).find((one) => (category_id ? one?.id : one?.name) === wanted);
  if (!found) throw notFound('category', wanted);
  return found;
}

/** Describes categories, by which operators sort their offers. */
export const category = resource('category', {
  prefix: 'cat',
  number: 'few',
  family: 'terms',
  fields: {
    name: required(identifier, 'The name that operators see.'),
    hierarchy: required(count, 'The place of the category. A lower number comes earlier.', { leftOut: 0 }),
  },
  unique: ['name'],
  orders: ['created_at', 'hierarchy'],
  fileKey: 'categories',
  unlimited: 1_000,
});

/** Categories that bodies name. A new name becomes a category in the transaction that uses it. */
export interface ChosenCategories {
  readonly categories: Categories;
  /** Inserts the new categories. The transaction is refused if another request inserts one of them first. */
  readonly created: readonly Effect[];
  /** The new categories. */
  readonly fresh: readonly { readonly id: string; readonly name: string }[];
}

function namesIn(choices: readonly CategoryChoice[]): string[] {
  return [...new Set(choices.flatMap(({ category: name, category_id }) => (name && !category_id ? [name] : [])))];
}

/** Ranks the new categories after all others. Two simultaneous requests may use the same rank, and so may operators. */
async function newCategories({ table, project, now }: Reading, names: readonly string[]): Promise<ChosenCategories> {
  const others = await readChildren(table, category.few, project.id);
  const last = others.reduce((most, { hierarchy }) => Math.max(most, hierarchy), 0);
  const made = names.map((name, index) => ({
    id: newPrefixedId(category.idPrefix, now),
    name,
    hierarchy: last + index + 1,
    created_at: now.toISOString(),
  }));
  return {
    categories: mergeCategories(Object.fromEntries(made.map((one) => [one.id, presentResource(category, one)]))),
    // The effect has no separate error: a refused request tries again, and finds the category.
    created: made.flatMap((one) => [
      insert(category.few(project.id, one.id), one),
      insert(claimKey(category, project.id, 'name', one.name), { id: one.id }),
    ]),
    fresh: made,
  };
}

/**
 * Reads the categories with these ids, and finds or makes the categories that the choices name. `known` has earlier
 * categories.
 */
export async function chooseCategories(
  context: Reading,
  ids: Iterable<string | null | undefined>,
  choices: readonly CategoryChoice[],
  known: Categories = noCategories,
): Promise<ChosenCategories> {
  const [first, ...others] = choices;
  const found = mergeCategories(
    ...(await Promise.all([
      readCategories(context, ids, first),
      ...others.map((choice) => readCategories(context, [], choice)),
    ])),
    known,
  );
  const existing = new Set(Object.values(found).map((one) => one?.name));
  const missing = namesIn(choices).filter((name) => !existing.has(name));
  if (missing.length === 0) return { categories: found, created: [], fresh: [] };
  const { categories, ...made } = await newCategories(context, missing);
  return { categories: mergeCategories(found, categories), ...made };
}
