import { notFound } from '../../core/errors.ts';
import type { Reading } from '../../http/context.ts';
import { endAll } from '../../http/holds/locks.ts';
import { change, commit } from '../../table/effects.ts';
import { promotionTiers } from './promotion-tier.ts';

/** Releases what all sessions hold of the limits that count for the tier alone. */
export async function endTierSessions({ table, project }: Reading, id: string): Promise<void> {
  const gone = () => notFound('promotion_tier', id);
  await commit(table, [change(promotionTiers(project.id, id), endAll, gone)]);
}
