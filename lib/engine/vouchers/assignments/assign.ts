import {
  assignments,
  insertRuleAssignments,
  newAssignment,
  removeRuleAssignments,
  type ValidationRulesAssignment,
} from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { findRelated, type RelatedName, type RelatedObject, readRelated, setAssignments } from './related-object.ts';

function refuseTaken({ type, id }: RelatedObject): ServiceError {
  return new ServiceError('duplicate_found', {
    details: 'the object has a validation rule already; force=true replaces it',
    resource: { id, type },
  });
}

/**
 * Assigns a rule to an object. Answers 409 if the object already has a rule. `force` replaces another rule, and keeps
 * the same rule.
 */
export function assignEffects(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  ruleId: string,
  object: RelatedObject,
  { force }: { force: boolean },
): { assignment: ValidationRulesAssignment; effects: Effect[] } {
  const { assignments: before } = object;
  if (before.length > 0 && !force) throw refuseTaken(object);
  const known = before.find(({ rule_id }) => rule_id === ruleId);
  const assignment = known ?? newAssignment(ruleId, object, now);
  const others = before.filter((one) => one !== known);
  return {
    assignment,
    effects: [
      ...setAssignments(object, [assignment]),
      ...removeRuleAssignments(project.id, others),
      ...(known ? [] : insertRuleAssignments(project.id, [assignment])),
    ],
  };
}

/** Assigns a rule to an object. Answers 404 if either is missing. */
export async function assignRule(
  context: Reading,
  ruleId: string,
  related: RelatedName,
  options: { force: boolean },
): Promise<ValidationRulesAssignment> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const [{ rule }, object] = await Promise.all([
      read(table, { rule: validationRule.few(project.id, ruleId) }),
      findRelated(context, related),
    ]);
    if (!rule) throw notFound(validationRule.name, ruleId);
    if (!object) throw notFound(related.type, related.id);
    const { assignment, effects } = assignEffects(context, ruleId, object, options);
    return (await commit(table, effects)) ? assignment : again;
  });
}

/** Deletes assignments, and removes them from their object if it still has them. */
export function unassignEffects(
  projectId: string,
  all: readonly ValidationRulesAssignment[],
  object: RelatedObject | undefined,
): Effect[] {
  const left = object?.assignments.filter(({ id }) => !all.some((one) => one.id === id)) ?? [];
  const has = object !== undefined && left.length < object.assignments.length;
  return [...(has ? setAssignments(object, left) : []), ...removeRuleAssignments(projectId, all)];
}

/** Removes a rule from its object, also a rule that was deleted. Answers 404 for an unknown rule or assignment. */
export async function unassignRule(context: Reading, ruleId: string, assignmentId: string): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const { rule, assignment } = await read(table, {
      rule: validationRule.few(project.id, ruleId),
      assignment: assignments(project.id, ruleId, assignmentId),
    });
    if (!assignment && !rule) throw notFound(validationRule.name, ruleId);
    if (!assignment) throw notFound('validation_rules_assignment', assignmentId);
    const { related_object_type: type, related_object_id: id } = assignment;
    const [object] = await readRelated(context, [{ type, id }]);
    return (await commit(table, unassignEffects(project.id, [assignment], object))) || again;
  });
}
