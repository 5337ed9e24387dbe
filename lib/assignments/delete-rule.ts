import { notedAs } from '../candidates/noted.ts';
import type { Reading } from '../context.ts';
import { deleteWithChildren } from '../deletion/tombstone.ts';
import type { Cascade } from '../deletion/work.ts';
import { found } from '../resource/item.ts';
import { assignmentItem, assignments } from '../rules/assignment.ts';
import { validationRule } from '../rules/resource.ts';
import { inBatches } from '../table/batches.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { check, commit, type Effect } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import type { ValidationRulesAssignment } from '../terms/validation-rules-assignment.ts';
import { unassigning } from './assign.ts';
import { type RelatedName, readRelated } from './related-object.ts';

/** Each is three items at most: the assignment, its object, and the version of that. */
const assignmentsAtOnce = 25;

/** Until what it is assigned to has lost it, that has a rule that is gone, and is met by nobody. */
export async function deleteRule({ table, project, now }: Reading, id: string): Promise<void> {
  await retryOptimistically(table, async () => {
    const { revision } = await found({ table, project }, validationRule, id);
    const key = validationRule.few(project.id, id);
    const effects = deleteWithChildren(project.id, { parent: 'validation_rule', id, key, lists: [] }, now);
    const asRead = check(key, (update) => update.whenStill('revision', revision));
    return (
      (await commit(table, [
        asRead,
        ...notedAs(project.id, 'validation_rule', { id, version: undefined }),
        ...effects,
      ])) || undefined
    );
  });
}

function nameOf({ related_object_type: type, related_object_id: id }: ValidationRulesAssignment): RelatedName {
  return { type, id };
}

const textOf = ({ type, id }: RelatedName) => `${type} ${id}`;

/** One object may have several of a project file. */
async function removing(context: Reading, all: readonly ValidationRulesAssignment[]): Promise<Effect[]> {
  const byObject = [...Map.groupBy(all, (one) => textOf(nameOf(one))).values()];
  const objects = await readRelated(
    context,
    byObject.flatMap(([first]) => (first ? [nameOf(first)] : [])),
  );
  return byObject.flatMap((own, index) => unassigning(context.project.id, own, objects[index]));
}

export const ruleCascade: Cascade = {
  key: validationRule.few,
  children: async function* (context: Reading, id) {
    const { table, project } = context;
    for await (const page of table.pages(assignments.all(project.id, id))) {
      for await (const some of inBatches(page, assignmentsAtOnce)) {
        yield await removing(
          context,
          some.map((item) => parseStored(assignmentItem, item)),
        );
      }
    }
  },
};
