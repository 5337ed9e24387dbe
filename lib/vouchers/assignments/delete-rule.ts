import type { Writing } from '../../http/context.ts';
import { remove } from '../../kit/resource/plain.ts';
import { validationRule } from '../../rules/resource.ts';

/** Deletes only the rule. Its objects keep their assignments and stay unusable, so that a mistake does not open anything. */
export async function deleteRule(context: Writing, id: string): Promise<void> {
  await remove(context, validationRule, id);
}
