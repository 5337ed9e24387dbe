import type { Reading } from '../context.ts';
import { unassigned } from '../rules/assignment.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commit, remove } from '../table/effects.ts';
import { promotionTiers } from '../tiers/promotion-tier.ts';
import { tierOr404 } from './find-tiers.ts';

/** Of a tier that a project file gave more, the others go with their rule. */
const maxRemoved = 50;

/** For good, with the assignments of its rules; the ranks of others stay. 404 where it is not there. */
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
    return (await commit(table, [removed, ...unassigned(project.id, assignments.slice(0, maxRemoved))])) || undefined;
  });
}
