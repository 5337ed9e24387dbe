import * as v from 'valibot';
import { assignmentsOfRule } from '#engine/rules/assignment.ts';
import { applicableTo, validationRule } from '#engine/rules/resource.ts';
import { described, named } from '#kernel/core/documented.ts';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { listItems, wrapResources } from '#kernel/kit/resource/operations.ts';
import { type Item, type ListQuery, presentResource } from '#kernel/kit/resource/shape.ts';
import { readListLength } from '#kernel/table/list-page.ts';

export type ShownValidationRule = v.InferOutput<typeof validationRule.reply>;

const { excluded } = applicableTo.entries;

export const createdRule = named(
  'CreatedValidationRule',
  v.object({
    ...validationRule.reply.entries,
    applicable_to: v.nullable(
      v.object({
        ...applicableTo.entries,
        excluded: described(v.optional(excluded.wrapped), 'Absent if none are excluded.'),
      }),
    ),
  }),
);

/** Shows a rule that was just made, without a count and without empty exclusions, as existing clients compare it. */
export function showCreatedRule(item: Item): v.InferOutput<typeof createdRule> {
  const { applicable_to: to, ...shown } = presentResource(validationRule, item);
  if (!to) return { ...shown, applicable_to: null };
  const { excluded: none, ...others } = to;
  return { ...shown, applicable_to: none.length === 0 ? others : to };
}

/** Shows a rule with its number of assignments. Assignments of deleted objects count until they are also deleted. */
function showRule(item: Item, assignments_count: number): ShownValidationRule {
  return presentResource(validationRule, { ...item, assignments_count });
}

/** Shows a rule and counts its assignments. A query counts them, and beyond 100 the total of the list. */
export async function countAndShowRule({ table, project }: Pick<Reading, 'table' | 'project'>, item: Item) {
  return showRule(item, await readListLength(table, assignmentsOfRule, [project.id, item.id]));
}

export async function getValidationRule(context: Reading, id: string): Promise<ShownValidationRule> {
  return countAndShowRule(context, await itemOr404(context, validationRule, id));
}

export async function listValidationRules(context: Reading, query: ListQuery) {
  const { items, ...place } = await listItems(context, validationRule, query);
  return wrapResources(validationRule, await Promise.all(items.map((item) => countAndShowRule(context, item))), place);
}
