import * as v from 'valibot';
import { category } from '#engine/rules/categories/resource.ts';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Managing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commit, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges, versionRemovals } from '#kernel/table/version-effects.ts';
import { defaultStackingRules, type StackingRules } from '../engine/stacking-rules.ts';
import {
  addStackingDefaults,
  findFieldConflicts,
  listNamedCategories,
  mergeStackingRules,
  type ShownStackingRules,
  type StackingRulesBody,
  shownStackingRules,
  stackingRules,
} from './stored.ts';

/** The project of the rules, and their id in a path. */
interface Place {
  readonly projectId: string;
  readonly stackingRulesId: string;
}

const type = 'stacking_rules';

function exists(projectId: string): ServiceError {
  return new ServiceError('stacking_rules_exist', {
    details: 'the project already has stacking rules: change or delete them',
    resource: { id: projectId, type: 'project' },
  });
}

function shown(rules: Readonly<Record<string, unknown>>): ShownStackingRules {
  return v.parse(shownStackingRules, { updated_at: null, ...rules, object: type });
}

/** Throws a 400 if fields of the rules contradict each other. */
function fitting(rules: StackingRules): StackingRules {
  const faults = findFieldConflicts({ ...rules }).map(({ field, message }) => `${field} ${message}`);
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
  return rules;
}

/** Reads the rules, and checks that the categories in the body exist: 404 if any is missing. */
async function readWith({ table }: Managing, projectId: string, body: StackingRulesBody) {
  const named = listNamedCategories(body);
  const { stored, categories } = await read(table, {
    stored: stackingRules(projectId),
    categories: named.map((id) => category.few(projectId, id)),
  });
  const unknown = named.find((_, index) => categories[index] === undefined);
  return { stored, named, unknown };
}

/** Requires that the categories still exist when the rules name them. */
function checked(projectId: string, categories: readonly string[]): Effect[] {
  return categories.map((id) =>
    check(
      category.few(projectId, id),
      (update) => update.whenThere(),
      () => notFound(category.name, id),
    ),
  );
}

/** Creates the rules, with defaults for absent fields. 409 `stacking_rules_exist` if the project has its own. */
export async function createStackingRules(context: Managing, projectId: string, body: StackingRulesBody) {
  const { table, now } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  const rules = fitting(addStackingDefaults(body));
  const version = newVersion();
  const item = { id: newTimedId('stacking_rules', now), ...rules, created_at: now.toISOString() };
  await retryOptimistically(table, async () => {
    const { stored, named, unknown } = await readWith(context, project, body);
    if (stored) throw exists(project);
    if (unknown !== undefined) throw notFound(category.name, unknown);
    const key = stackingRules(project);
    const done = await commit(table, [
      insert(key, { ...item, version }, () => exists(project)),
      ...versionChanges(key, version),
      ...checked(project, named),
    ]);
    return done || again;
  });
  return shown(item);
}

/** Lists exactly one document: the project's own, or the defaults. */
export async function listStackingRules(context: Managing, projectId: string) {
  const { id } = await managedProjectOr404(context, projectId);
  const { stored } = await read(context.table, { stored: stackingRules(id) });
  return wrapList([shown(stored ?? { ...defaultStackingRules, updated_at: undefined })]);
}

export async function getStackingRules(context: Managing, { projectId, stackingRulesId }: Place) {
  const { id } = await managedProjectOr404(context, projectId);
  const { stored } = await read(context.table, { stored: stackingRules(id) });
  if (stored?.id !== stackingRulesId) throw notFound(type, stackingRulesId);
  return shown(stored);
}

/** Changes the sent fields. Lists are replaced whole. */
export async function updateStackingRules(
  context: Managing,
  { projectId, stackingRulesId }: Place,
  body: StackingRulesBody,
) {
  const { table, now } = context;
  const { id: project } = await managedProjectOr404(context, projectId);
  return retryOptimistically(table, async () => {
    const { stored, named, unknown } = await readWith(context, project, body);
    if (stored?.id !== stackingRulesId) throw notFound(type, stackingRulesId);
    if (unknown !== undefined) throw notFound(category.name, unknown);
    const { id, created_at, updated_at, version: before, ...rules } = stored;
    const after = { ...fitting(mergeStackingRules(rules, body)), updated_at: now.toISOString() };
    const version = newVersion();
    const key = stackingRules(project);
    const done = await commit(table, [
      change(key, (update) => {
        return update
          .setAll({ ...after, version })
          .whenThere()
          .whenStill('version', before);
      }),
      ...versionChanges(key, version),
      ...checked(project, named),
    ]);
    return done ? shown({ id, ...after, created_at }) : again;
  });
}

/** Deletes the project's own rules. The defaults apply from then on. */
export async function deleteStackingRules(context: Managing, { projectId, stackingRulesId }: Place): Promise<void> {
  const { table } = context;
  const { id } = await managedProjectOr404(context, projectId);
  await retryOptimistically(table, async () => {
    const key = stackingRules(id);
    const { stored } = await read(table, { stored: key });
    if (stored?.id !== stackingRulesId) throw notFound(type, stackingRulesId);
    const still = remove(key, (update) => update.whenThere().whenStill('version', stored.version));
    return (await commit(table, [still, ...versionRemovals(key)])) || again;
  });
}
