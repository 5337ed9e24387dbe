import { stackingRules, stackingRulesByVersion } from '#engine/checkout/stacking-rules/stored.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as deleteCategory } from '../../functions/categories/delete-category.ts';
import { handler as create } from '../../functions/management/create-stacking-rules.ts';
import { handler as remove } from '../../functions/management/delete-stacking-rules.ts';
import { handler as get } from '../../functions/management/get-stacking-rules.ts';
import { handler as list } from '../../functions/management/list-stacking-rules.ts';
import { handler as update } from '../../functions/management/update-stacking-rules.ts';
import { caller } from './call.ts';
import { standingClock, testDependencies } from './dependencies.ts';
import { tableOfFile } from './listed.ts';
import type { TestProject } from './project.ts';

/** Returns the calls about a project's stacking rules, and about the categories that they name. */
export function rulesOf({ id: projectId, credentials: headers }: TestProject) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Endpoint, request: object) => caller(handler, dependencies)(request);
  const at = (stackingRulesId: string) => ({ params: { projectId, stackingRulesId } });
  return {
    clock,
    create: (body: object = {}) => call(create, { params: { projectId }, body }),
    list: () => call(list, { params: { projectId } }),
    get: (id: string) => call(get, at(id)),
    update: (id: string, body: object) => call(update, { ...at(id), body }),
    remove: (id: string) => call(remove, at(id)),
    removeCategory: (categoryId: string, query = '') =>
      call(deleteCategory, { headers, params: { categoryId }, query }),
    /** Reads the rules in the same way as a checkout. */
    held: async () => (await stackingRulesByVersion.read(tableOfFile(), [stackingRules(projectId)]))[0],
  };
}
