import * as v from 'valibot';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit } from '#kernel/table/effects.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { campaigns } from './campaign.ts';
import { moveCampaign } from './campaign-lists.ts';
import { campaignOr404 } from './find-campaign.ts';

/** Answers an object without fields. */
export const switchReply = v.object({});

/** Switches a campaign on or off. A repeat has no effect, not even on `updated_at`. Its vouchers keep their own `active`. */
export async function switchCampaign(
  context: Reading,
  idOrName: string,
  active: boolean,
): Promise<v.InferOutput<typeof switchReply>> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const item = await campaignOr404(context, idOrName);
    if (item.active === active) return {};
    const key = campaigns(project.id, item.id);
    const version = newVersion();
    const done = await commit(table, [
      change(key, (update) =>
        moveCampaign(update, project.id, item.id, now.toISOString())
          .whenThere()
          // A switch that arrives late must not undo a newer switch.
          .whenStill('version', item.version)
          .set(['active'], active)
          .set(['version'], version),
      ),
      ...versionChanges(key, version),
      ...noteResource(project.id, 'campaign', { id: item.id, version }),
    ]);
    return done ? {} : again;
  });
}
