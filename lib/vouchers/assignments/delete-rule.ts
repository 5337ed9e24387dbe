import type { Writing } from '../../http/context.ts';
import { removeResource } from '../../kit/resource/operations.ts';
import { validationRule } from '../../rules/resource.ts';

/** Deletes only the rule. Its objects keep their assignments and stay unusable, so that a mistake does not open anything. */
export async function deleteValidationRule(context: Writing, id: string): Promise<void> {
  await removeResource(context, validationRule, id);
}
