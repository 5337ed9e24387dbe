import { validationRule } from '#engine/rules/resource.ts';
import type { Writing } from '#kernel/http/context.ts';
import { removeResource } from '#kernel/kit/resource/operations.ts';

/** Deletes only the rule. Its objects keep their assignments and stay unusable, so that a mistake does not open anything. */
export async function deleteValidationRule(context: Writing, id: string): Promise<void> {
  await removeResource(context, validationRule, id);
}
