import * as v from 'valibot';
import {
  allAssignments,
  assignmentItem,
  assignmentsOfObject,
  assignmentsOfRule,
  type ValidationRulesAssignment,
} from '#engine/rules/assignment.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, listEnvelope, reference, wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, dateRange, type Page, pageQuery, readParsedPage } from '#kernel/http/page.ts';
import { readListPage } from '#kernel/table/list-page.ts';
import { type Entry, type Listing, type Owner, toRange } from '#kernel/table/listing.ts';
import { readRelated } from './related-object.ts';

export const shownAssignment = named(
  'RuleAssignment',
  v.object({ ...assignmentItem.entries, updated_at: v.nullable(dateTime) }),
);

/** Shows an assignment, which never changes. */
export function showAssignment(assignment: ValidationRulesAssignment): v.InferOutput<typeof shownAssignment> {
  return { ...assignment, updated_at: null };
}

export const ruleAssignmentList = listEnvelope(shownAssignment);

export const assignmentsQuery = v.object({
  ...pageQuery,
  related_object_id: described(v.optional(reference), 'Only assignments of this object.'),
  rule: described(v.optional(reference), 'Only assignments of this rule.'),
  created_at: described(dateRange, 'Only assignments created strictly before, or after.'),
  order: described(
    v.optional(v.picklist(['created_at', '-created_at']), '-created_at'),
    'The time of creation orders the list. A leading dash means descending.',
  ),
});

type Query = Page &
  Partial<Pick<v.InferOutput<typeof assignmentsQuery>, 'related_object_id' | 'rule' | 'created_at' | 'order'>>;

/** Returns the shortest list that holds all wanted assignments. */
function chooseList(projectId: string, { related_object_id, rule }: Query): { list: Listing; owner: Owner } {
  if (related_object_id !== undefined) return { list: assignmentsOfObject, owner: [projectId, related_object_id] };
  if (rule !== undefined) return { list: assignmentsOfRule, owner: [projectId, rule] };
  return { list: allAssignments, owner: [projectId] };
}

const buildTest = (rule: string) => (batch: readonly Entry[]) => batch.map(({ listed }) => listed.rule_id === rule);

/** Leaves out assignments that their object no longer has, and assignments of deleted objects. `total` counts them. */
async function dropStale(context: Reading, all: readonly ValidationRulesAssignment[]) {
  const objects = await readRelated(
    context,
    all.map(({ related_object_type: type, related_object_id: id }) => ({ type, id })),
  );
  return all.filter((one, index) => objects[index]?.assignments.some(({ id }) => id === one.id));
}

/** Lists the assignments of the project, of a rule, of an object, or of both. */
export async function listAssignments(
  context: Reading,
  query: Query,
): Promise<v.InferOutput<typeof ruleAssignmentList>> {
  const { table, project } = context;
  const { related_object_id, rule, created_at, order = '-created_at' } = query;
  const { page, total } = await readListPage(table, chooseList(project.id, query), {
    limit: query.limit,
    offset: computeOffset(query),
    descending: order.startsWith('-'),
    ...(created_at ? toRange(created_at) : {}),
    ...(rule !== undefined && related_object_id !== undefined ? { matches: buildTest(rule) } : {}),
  });
  const keys = page.map(({ key }) => key);
  const found = await readParsedPage(table, assignmentItem, keys);
  return wrapList((await dropStale(context, found)).map(showAssignment), total);
}
