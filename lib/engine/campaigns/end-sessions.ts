import { endAll, lockedItem } from '#engine/holds/locks.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { campaigns } from './campaign.ts';
import { campaignOr404 } from './find-campaign.ts';

/** Ends all sessions of the campaign's limits, codes and tiers with one write, which makes every earlier lock worthless. */
export async function endCampaignSessions(context: Reading, idOrName: string): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const { id } = await campaignOr404(context, idOrName);
    const key = campaigns(project.id, id);
    const { item } = await read(table, { item: { ...key, schema: lockedItem } });
    const version = newVersion();
    const done = await commit(table, [
      change(key, (update) => endAll(update, item).set(['version'], version)),
      ...versionChanges(key, version),
      ...noteResource(project.id, 'campaign', { id, version }),
    ]);
    return done || again;
  });
}
