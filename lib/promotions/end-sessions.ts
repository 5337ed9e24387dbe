import type { Reading } from '../context.ts';
import { notFound } from '../errors.ts';
import { endAll } from '../holds/locks.ts';
import { change, commit } from '../table/effects.ts';
import { promotionTiers } from '../tiers/promotion-tier.ts';

/** Gives up what all sessions keep of the limits that are counted for the tier alone. */
export async function endSessions({ table, project }: Reading, id: string): Promise<void> {
  const gone = () => notFound('promotion_tier', id);
  await commit(table, [change(promotionTiers(project.id, id), endAll, gone)]);
}
