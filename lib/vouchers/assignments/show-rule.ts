import type * as v from 'valibot';
import type { Reading } from '../../http/context.ts';
import { found } from '../../kit/resource/item.ts';
import { envelope, listItems } from '../../kit/resource/plain.ts';
import { type Item, type ListQuery, present } from '../../kit/resource/shape.ts';
import { assignmentsOfRule } from '../../rules/assignment.ts';
import { validationRule } from '../../rules/resource.ts';
import { listLength } from '../../table/list-page.ts';

export type ShownRule = v.InferOutput<typeof validationRule.reply>;

/** Shows a rule with its number of assignments. Assignments of deleted objects count until they are deleted, too. */
export function showRule(item: Item, assignments_count: number): ShownRule {
  return present(validationRule, { ...item, assignments_count });
}

/** Shows a rule and counts its assignments. A query counts them, and beyond 100 the total of the list. */
export async function showCounted({ table, project }: Pick<Reading, 'table' | 'project'>, item: Item) {
  return showRule(item, await listLength(table, assignmentsOfRule, [project.id, item.id]));
}

export async function getRule(context: Reading, id: string): Promise<ShownRule> {
  return showCounted(context, await found(context, validationRule, id));
}

export async function listRules(context: Reading, query: ListQuery) {
  const { items, ...place } = await listItems(context, validationRule, query);
  return envelope(validationRule, await Promise.all(items.map((item) => showCounted(context, item))), place);
}
