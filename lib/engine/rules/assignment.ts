import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import { dateTime } from '#kernel/core/schema.ts';
import { check, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { childKind, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';

/** The resource's name in errors of a missing rule. */
export const ruleType = 'validation_rules';

const known = v.looseObject({});

/** The kind of stored rules, for code that only checks existence. The resource (`resource.ts`) imports the checks of documents. */
export const storedRules = childKind<typeof known, []>({ kind: kinds.validationRuless }, kinds.validationRules, known);

/** Types of objects that a rule can be assigned to. */
export const relatedObjectType = v.picklist([
  'voucher',
  'promotion_tier',
  'campaign',
  'earning_rule',
  'distribution',
  'reward_assignment',
]);

export type RelatedObjectType = v.InferOutput<typeof relatedObjectType>;

/** An assignment. Vouchers, campaigns and promotion tiers store theirs, so that no further read is needed. */
export const validationRulesAssignment = named(
  'ValidationRulesAssignment',
  v.object({
    id: v.string(),
    rule_id: v.string(),
    related_object_id: v.string(),
    related_object_type: relatedObjectType,
    created_at: dateTime,
    object: v.literal('validation_rules_assignment'),
  }),
);

export type ValidationRulesAssignment = v.InferOutput<typeof validationRulesAssignment>;

/** Stores assignments as items, so that a rule finds its objects. The assignments in the object itself decide. */

export const assignmentItem = v.object(validationRulesAssignment.entries);

/** Assignments of one rule share a partition. */
export const assignments = childKind({ kind: kinds.assignedRule }, kinds.validationRulesAssignment, assignmentItem);

const assignedRules = v.object({ validation_rules_assignments: v.array(validationRulesAssignment) });

/** Keeps the assignments of objects that cannot be found by their id alone: earning rules, distributions, reward assignments. */
export const rulesOfObject = kind<typeof assignedRules, [type: RelatedObjectType, id: string]>(
  kinds.rulesOfObject,
  assignedRules,
  { family: 'earning' },
);

export const allAssignments = listing(listIndexes.first, 'RULES_ASSIGNMENTS', { counted: true });
export const assignmentsOfRule = listing(listIndexes.second, 'RULES_ASSIGNMENTS_OF_RULE', { counted: true });
export const assignmentsOfObject = listing(listIndexes.third, 'RULES_ASSIGNMENTS_OF_OBJECT', { counted: true });

export function assignmentKey(projectId: string, { id, rule_id }: ValidationRulesAssignment) {
  return assignments(projectId, rule_id, id);
}

/** Returns the item with its places in lists. */
export function placeRuleAssignment(projectId: string, assignment: ValidationRulesAssignment) {
  const { id, rule_id, related_object_id, created_at } = assignment;
  const order = [created_at, id];
  return {
    ...assignment,
    ...placeInList(allAssignments, [projectId], order),
    ...placeInList(assignmentsOfRule, [projectId, rule_id], order),
    ...placeInList(assignmentsOfObject, [projectId, related_object_id], order),
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

/**
 * Returns the effects that store assignments, for the transaction that writes their object. 404 if a rule was deleted
 * after the read.
 */
export function insertRuleAssignments(projectId: string, all: readonly ValidationRulesAssignment[]): Effect[] {
  return all.flatMap((one) => [
    check(
      storedRules(projectId, one.rule_id),
      (update) => update.whenThere(),
      () => notFound(ruleType, one.rule_id),
    ),
    insert(assignmentKey(projectId, one), placeRuleAssignment(projectId, one)),
  ]);
}

/** Removes assignments with a write of the object. A faster request may have removed them already. */
export function removeRuleAssignments(projectId: string, all: readonly ValidationRulesAssignment[]): Effect[] {
  return all.map((one) => remove(assignmentKey(projectId, one), (update) => update));
}
