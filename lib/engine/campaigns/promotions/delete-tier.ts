import { removeRuleAssignments } from '#engine/rules/assignment.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commit, type Effect, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { tierOr404 } from './find-tiers.ts';
import { promotionStack, promotionTiers, stackGuards } from './promotion-tier.ts';

/**
 * A deletion removes at most this many assignments. Further assignments, from a project file, are deleted with their
 * rule.
 */
const maxRemoved = 50;

/** The error names at most this many stacks. */
const maxNamed = 100;

/** Answers 400 if a stack names the tier. Returns a check that no stack has named it by the time of the commit. */
async function checkUnstacked(context: Reading, tierId: string): Promise<Effect> {
  const { table, project } = context;
  const guard = stackGuards(project.id);
  const { known } = await read(table, { known: guard });
  const naming = (await readFew(context, promotionStack)).filter(({ tiers }) => tiers.ids.includes(tierId));
  if (naming.length > 0) {
    const ids = naming.slice(0, maxNamed).map(({ id }) => id);
    throw new ServiceError('resource_in_use', {
      details: 'promotion stacks name the tier: delete the stacks, or remove the tier from them',
      resource: { id: tierId, type: 'promotion_tier' },
      related: { ids, type: promotionStack.name },
    });
  }
  return check(guard, (update) => update.whenStill('revision', known?.revision));
}

/**
 * Deletes a tier with the assignments of its rules. Answers 404 for a missing tier, and 400 `resource_in_use` for a
 * stacked tier.
 */
export async function deleteTier(context: Reading, tierId: string): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const { validation_rules_assignments: assignments } = await tierOr404(context, tierId);
    const removed = remove(promotionTiers(project.id, tierId), (update) => {
      update.whenThere();
      return assignments.length > 0
        ? update.whenStill('validation_rules_assignments', assignments)
        : update.whenUnsetOr('validation_rules_assignments', assignments);
    });
    const free = await checkUnstacked(context, tierId);
    return (
      (await commit(table, [
        removed,
        free,
        ...noteResource(project.id, 'promotion_tier', { id: tierId, version: undefined }),
        ...removeRuleAssignments(project.id, assignments.slice(0, maxRemoved)),
      ])) || again
    );
  });
}
