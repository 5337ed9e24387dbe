import { timedId } from '../../core/ids.ts';
import type { Reading } from '../../http/context.ts';
import { claimOf } from '../../kit/resource/claims.ts';
import { present } from '../../kit/resource/shape.ts';
import { type Effect, insert } from '../../table/effects.ts';
import { readChildren } from '../../table/read.ts';
import { type Categories, type CategoryChoice, mergedCategories, noCategories, readCategories } from './category.ts';
import { category } from './resource.ts';

/** Categories that bodies name. A name that no category has becomes one, in the transaction that gives it to something. */
export interface ChosenCategories {
  readonly categories: Categories;
  /** Inserts the new categories. The transaction is refused if another request inserts one of them first. */
  readonly created: readonly Effect[];
  /** The new categories themselves. */
  readonly fresh: readonly { readonly id: string; readonly name: string }[];
}

function namesIn(choices: readonly CategoryChoice[]): string[] {
  return [...new Set(choices.flatMap(({ category: name, category_id }) => (name && !category_id ? [name] : [])))];
}

/** Ranks the new categories after all others. Two requests at once may give one rank twice, as operators may. */
async function newCategories({ table, project, now }: Reading, names: readonly string[]): Promise<ChosenCategories> {
  const others = await readChildren(table, category.few, project.id);
  const last = others.reduce((most, { hierarchy }) => Math.max(most, hierarchy), 0);
  const made = names.map((name, index) => ({
    id: timedId(category.idPrefix, now),
    name,
    hierarchy: last + index + 1,
    created_at: now.toISOString(),
  }));
  return {
    categories: mergedCategories(Object.fromEntries(made.map((one) => [one.id, present(category, one)]))),
    // Without an error of their own: whoever is refused tries again, and finds the category.
    created: made.flatMap((one) => [
      insert(category.few(project.id, one.id), one),
      insert(claimOf(category, project.id, 'name', one.name), { id: one.id }),
    ]),
    fresh: made,
  };
}

/** Reads the categories with these ids, and finds or makes those that the choices name. `known` were found or made already. */
export async function chooseCategories(
  context: Reading,
  ids: Iterable<string | null | undefined>,
  choices: readonly CategoryChoice[],
  known: Categories = noCategories,
): Promise<ChosenCategories> {
  const [first, ...others] = choices;
  const found = mergedCategories(
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
  return { categories: mergedCategories(found, categories), ...made };
}
