import type { Writing } from '../../http/context.ts';
import { remove } from '../../kit/resource/plain.ts';
import { validationRule } from '../../rules/resource.ts';

/**
 * Deletes only the rule. Its objects keep their assignments, and nobody can use them until the rule is removed from them. A
 * limit that is deleted by mistake must not open anything.
 */
export async function deleteRule(context: Writing, id: string): Promise<void> {
  await remove(context, validationRule, id);
}
