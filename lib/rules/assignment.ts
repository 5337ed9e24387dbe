import * as v from 'valibot';
import { notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { check, type Effect, insert, remove } from '../table/effects.ts';
import { childKind, kind } from '../table/kind.ts';
import { listIndexes, listing, placed } from '../table/listing.ts';
import { ruleType, storedRules } from './stored-rules.ts';
import {
  type RelatedObjectType,
  type ValidationRulesAssignment,
  validationRulesAssignment,
} from './validation-rules-assignment.ts';

/** Assignments as items of their own, by which a rule finds what it is assigned to. What counts is what its object has. */

export const assignmentItem = v.object(validationRulesAssignment.entries);

/** Those of one rule stand together. */
export const assignments = childKind({ kind: 'ASSIGNED_RULE' }, 'VALIDATION_RULES_ASSIGNMENT', assignmentItem);

const assignedRules = v.object({ validation_rules_assignments: v.array(validationRulesAssignment) });

/** What an object has that stands in no place of its own by its id alone: an earning rule, a distribution, a reward assignment. */
export const rulesOfObject = kind<typeof assignedRules, [type: RelatedObjectType, id: string]>(
  'RULES_OF_OBJECT',
  assignedRules,
  { family: 'earning' },
);

export const allAssignments = listing(listIndexes.first, 'RULES_ASSIGNMENTS', { counted: true });
export const assignmentsOfRule = listing(listIndexes.second, 'RULES_ASSIGNMENTS_OF_RULE', { counted: true });
export const assignmentsOfObject = listing(listIndexes.third, 'RULES_ASSIGNMENTS_OF_OBJECT', { counted: true });

export function assignmentKey(projectId: string, { id, rule_id }: ValidationRulesAssignment) {
  return assignments(projectId, rule_id, id);
}

/** The item, with its places in lists. */
export function placedAssignment(projectId: string, assignment: ValidationRulesAssignment) {
  const { id, rule_id, related_object_id, created_at } = assignment;
  const order = [created_at, id];
  return {
    ...assignment,
    ...placed(allAssignments, [projectId], order),
    ...placed(assignmentsOfRule, [projectId, rule_id], order),
    ...placed(assignmentsOfObject, [projectId, related_object_id], order),
    listed: { rule_id },
  };
}

export function newAssignment(
  rule_id: string,
  related: { type: RelatedObjectType; id: string },
  now: Date,
): ValidationRulesAssignment {
  return {
    id: newId('validation_rules_assignment'),
    rule_id,
    related_object_id: related.id,
    related_object_type: related.type,
    created_at: now.toISOString(),
    object: 'validation_rules_assignment',
  };
}

/** Goes with the write that gives them to their object: 404 for a rule that is gone by then. */
export function assigned(projectId: string, all: readonly ValidationRulesAssignment[]): Effect[] {
  return all.flatMap((one) => [
    check(
      storedRules(projectId, one.rule_id),
      (update) => update.whenThere(),
      () => notFound(ruleType, one.rule_id),
    ),
    insert(assignmentKey(projectId, one), placedAssignment(projectId, one)),
  ]);
}

/** Goes with the write that takes them from their object; who was faster took them too. */
export function unassigned(projectId: string, all: readonly ValidationRulesAssignment[]): Effect[] {
  return all.map((one) => remove(assignmentKey(projectId, one), (update) => update));
}
