import type { Writing } from '../../http/context.ts';
import { remove } from '../../kit/resource/plain.ts';
import { validationRule } from '../../rules/resource.ts';

/**
 * Deletes the rule alone. Its assignments stay with what has them, which nobody can use until the rule is taken off: a limit that
 * is deleted by mistake must open nothing.
 */
export async function deleteRule(context: Writing, id: string): Promise<void> {
  await remove(context, validationRule, id);
}
