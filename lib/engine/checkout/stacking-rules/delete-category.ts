import { category } from '#engine/rules/categories/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { removeItem } from '#kernel/kit/resource/item.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commit, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { listNamedCategories, type StoredStackingRules, stackingRules } from './stored.ts';

/** Returns the lists and limits that name the category, without it. */
function without(rules: StoredStackingRules, id: string): [string, unknown][] {
  return Object.entries(rules).flatMap(([field, value]): [string, unknown][] => {
    if (Array.isArray(value)) return value.includes(id) ? [[field, value.filter((own) => own !== id)]] : [];
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, id)) return [];
    return [[field, Object.fromEntries(Object.entries(value).filter(([own]) => own !== id))]];
  });
}

function takenOut(project: string, rules: StoredStackingRules, id: string, now: Date): Effect[] {
  const key = stackingRules(project);
  const version = newVersion();
  return [
    change(key, (update) => {
      update.setAll(Object.fromEntries(without(rules, id)));
      update.set(['updated_at'], now.toISOString()).set(['version'], version);
      return update.whenThere().whenStill('version', rules.version);
    }),
    ...versionChanges(key, version),
  ];
}

/**
 * Deletes a category. 400 `resource_in_use` if the project's stacking rules name it, unless it must be removed from them. A simultaneous
 * change of the rules cannot add it.
 */
export async function deleteCategory(
  { table, project, now }: Writing,
  categoryId: string,
  { remove_from_stacking_rules: fromRules }: { remove_from_stacking_rules?: boolean | undefined },
): Promise<void> {
  await retryOptimistically(table, async () => {
    const key = stackingRules(project.id);
    const { found, rules } = await read(table, { found: category.few(project.id, categoryId), rules: key });
    if (!found) throw notFound(category.name, categoryId);
    const isNamed = rules !== undefined && listNamedCategories(rules).includes(categoryId);
    if (isNamed && !fromRules) {
      throw new ServiceError('resource_in_use', {
        details:
          'the stacking rules of the project name the category: remove it from them, or send remove_from_stacking_rules=true',
        resource: { id: categoryId, type: category.name },
        related: { ids: [rules.id], type: 'stacking_rules' },
      });
    }
    const stillUnnamed = check(key, (update) => update.whenStill('version', rules?.version));
    const done = await commit(table, [
      ...removeItem(category, project.id, found),
      ...(isNamed ? takenOut(project.id, rules, categoryId, now) : [stillUnnamed]),
    ]);
    return done || again;
  });
}
