import { newPrefixedId } from '../../core/ids.ts';
import type { Reading } from '../../http/context.ts';
import { claimKey } from '../../kit/resource/claims.ts';
import { presentResource } from '../../kit/resource/shape.ts';
import { type Effect, insert } from '../../table/effects.ts';
import { readChildren } from '../../table/read.ts';
import { type Categories, type CategoryChoice, mergeCategories, noCategories, readCategories } from './category.ts';
import { category } from './resource.ts';

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

/** Ranks the new categories after all others. Two simultaneous requests may use one rank twice, which operators may do too. */
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
    // The effect has no error of its own: a refused request tries again, and finds the category.
    created: made.flatMap((one) => [
      insert(category.few(project.id, one.id), one),
      insert(claimKey(category, project.id, 'name', one.name), { id: one.id }),
    ]),
    fresh: made,
  };
}

/** Reads the categories with these ids, and finds or makes those that the choices name. `known` has earlier ones. */
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
