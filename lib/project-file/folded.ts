import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Category, categoriesItem } from '../campaigns/category.ts';
import type { Table } from '../dynamodb.ts';
import { record } from '../schema.ts';
import { type Key, keys } from '../table.ts';
import type { CheckedFile } from './check.ts';
import { ProjectFileError } from './faults.ts';
import { jsonBytes, maxItemBytes, tooLargeTogether } from './sizes.ts';

/** Lists of which one item holds all entries: the file's are folded into those that are there. */

const eventSchemaItem = v.object({ events: record(record(v.string())) });

type Folded<T> = Record<string, T>;

export async function storedCategories(table: Table, projectId: string): Promise<Folded<Category>> {
  return (await table.get(keys.categories(projectId), categoriesItem))?.items ?? {};
}

export async function storedEvents(table: Table, projectId: string): Promise<Folded<Record<string, string>>> {
  return (await table.get(keys.eventSchema(projectId), eventSchemaItem))?.events ?? {};
}

function foldedCategories(stored: Folded<Category>, ofFile: readonly Category[]): Folded<Category> {
  const added = ofFile.map((category) => {
    const known = Object.hasOwn(stored, category.id) ? stored[category.id] : undefined;
    return [category.id, known ? { ...category, created_at: known.created_at } : category] as const;
  });
  return { ...stored, ...Object.fromEntries(added) };
}

function foldedEvents(stored: Folded<Record<string, string>>, { short }: CheckedFile) {
  return { ...stored, ...Object.fromEntries(short.event_schema.map(({ name, metadata }) => [name, metadata])) };
}

function categoryFaults(folded: Folded<Category>, ofFile: readonly Category[]): string[] {
  const named = Map.groupBy(Object.values(folded), ({ name }) => name);
  const taken = ofFile.flatMap(({ name }, index) =>
    (named.get(name)?.length ?? 0) > 1 ? [`categories[${index}].name is that of another category of the project`] : [],
  );
  return [...taken, ...sizeFaults('categories', folded)];
}

function sizeFaults(list: string, folded: unknown): string[] {
  return jsonBytes(folded) > maxItemBytes ? [`${list} ${tooLargeTogether}, with those of the project`] : [];
}

/** What the folded lists and the table can't both have. */
export async function foldedFaults(
  table: Table,
  file: CheckedFile,
  categories: readonly Category[],
): Promise<string[]> {
  const { id } = file.project;
  const events = foldedEvents(await storedEvents(table, id), file);
  return [
    ...categoryFaults(foldedCategories(await storedCategories(table, id), categories), categories),
    ...sizeFaults('event_schema', events),
  ];
}

/** A load that meets another folds again, into what that one has left. */
const maxRounds = 20;

async function fold<T>(
  table: Table,
  key: Key,
  attribute: string,
  stored: () => Promise<Folded<T>>,
  merge: (stored: Folded<T>) => Folded<T>,
): Promise<void> {
  await table.insert(key, { [attribute]: {} });
  for (let round = 0; round < maxRounds; round++) {
    const seen = await stored();
    const folded = merge(seen);
    if (isDeepStrictEqual(seen, folded)) return;
    const { done } = await table.change(key, {
      set: 'SET #all = :folded',
      condition: '#all = :seen',
      names: { '#all': attribute },
      values: { ':seen': seen, ':folded': folded },
    });
    if (done) return;
  }
  throw new ProjectFileError([`${attribute} of the project kept changing meanwhile; run again`], { partly: true });
}

export async function upsertCategories(table: Table, projectId: string, ofFile: readonly Category[]): Promise<void> {
  await fold(
    table,
    keys.categories(projectId),
    'items',
    () => storedCategories(table, projectId),
    (stored) => {
      const folded = foldedCategories(stored, ofFile);
      const faults = categoryFaults(folded, ofFile).map((fault) => `${fault}: another load came between; run again`);
      if (faults.length > 0) throw new ProjectFileError(faults, { partly: true });
      return folded;
    },
  );
}

export async function upsertEventSchema(table: Table, file: CheckedFile): Promise<void> {
  const { id } = file.project;
  await fold(
    table,
    keys.eventSchema(id),
    'events',
    () => storedEvents(table, id),
    (stored) => foldedEvents(stored, file),
  );
}
