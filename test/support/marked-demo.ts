import { readFile } from 'node:fs/promises';
import { exampleAction, insertAction } from './actions.ts';
import { exampleCloses, insertCloses } from './closes.ts';
import { type testDependencies, testTime } from './dependencies.ts';
import { exampleDelivery, insertExampleDelivery } from './example-delivery.ts';
import { exampleRedemptions } from './example-redemptions.ts';
import { exampleExports, insertExports } from './exports.ts';
import { exampleSession, insertExampleLock } from './locks.ts';
import { credentialsOf, loadFile, projectFile, type TestProject } from './project.ts';
import { insertExampleRedemptions } from './redemptions.ts';

export type Marked = TestProject & { management: Record<string, string> };
type Lists = Record<string, Record<string, unknown>[]>;

const demo = JSON.parse(await readFile(new URL('../../infra/local/demo-project.json', import.meta.url), 'utf8'));
const { project: demoProject, app_keys, management_keys, ...demoLists } = demo;

/** Returns the texts that identify the demo's resources. */
function namesIn(lists: Lists): Set<string> {
  const fields = ['id', 'name', 'code', 'source_id'];
  const values = Object.values(lists).flatMap((list) => list.flatMap((entry) => fields.map((field) => entry[field])));
  return new Set(values.filter((value) => typeof value === 'string'));
}

// The documented examples rename and delete the demo's own categories.
demoLists.categories?.push({ id: 'cat_shelf', name: 'Shelf', hierarchy: 9 });
const demoNames = namesIn(demoLists).add(exampleAction).add(exampleSession).add(exampleDelivery);
for (const id of [...exampleExports, ...exampleCloses, ...exampleRedemptions]) demoNames.add(id);

/** Other texts that identify a resource in a path: a campaign's name and a customer's source id. */
export const otherNames = new Map<string, string>(
  [...demoLists.campaigns, ...demoLists.customers].flatMap(({ id, name, source_id: sourceId }) => {
    const other = sourceId ?? name;
    return [[id, other] as const, [other, id] as const];
  }),
);
export const demoCodes = new Set<string>(demoLists.vouchers.map(({ code }: { code: string }) => code));

/** Replaces texts anywhere in a value. */
export function renamed(value: unknown, other: (text: string) => string): unknown {
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [other(key), renamed(inner, other)]));
}

/** Appends the mark to each of the demo's names in a value. */
export function marked(value: unknown, mark: string): unknown {
  return renamed(value, (text) => (demoNames.has(text) ? text + mark : text));
}

/** Loads the demo with the mark after each name. */
export async function loadMarked(mark: string, dependencies: ReturnType<typeof testDependencies>): Promise<Marked> {
  const own = projectFile(marked(demoLists, mark) as Record<string, unknown>);
  const { id } = own.project;
  const management = { management_id: `ops-${id}`, management_token: `secret-${id}` };
  const file = { ...own, project: { ...demoProject, ...own.project }, management_keys: [management] };
  await loadFile(file, testTime, dependencies);
  await insertAction(id, dependencies, exampleAction + mark);
  await insertExports(id, dependencies, mark);
  await insertCloses(id, dependencies, mark);
  await insertExampleRedemptions(id, dependencies, mark);
  await insertExampleLock(id, dependencies, mark);
  await insertExampleDelivery(id, dependencies, mark);
  return {
    id,
    credentials: credentialsOf(own),
    management: { 'x-management-id': management.management_id, 'x-management-token': management.management_token },
    file,
  };
}

export const isName = (text: string) => demoNames.has(text) || text === demoProject.id;

/** Returns the name that a marked demo has for it. */
export function nameIn(text: string, { mark, project }: { mark: string; project: string }): string {
  return text === demoProject.id ? project : text + mark;
}
