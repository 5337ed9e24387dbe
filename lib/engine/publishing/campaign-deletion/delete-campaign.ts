import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { type CampaignItem, campaignNames, campaigns } from '#engine/campaigns/campaign.ts';
import { campaignLists } from '#engine/campaigns/campaign-lists.ts';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { removeRuleAssignments } from '#engine/rules/assignment.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Starting } from '#kernel/http/context.ts';
import { makeBinEntry } from '#kernel/kit/bin/bin-entry.ts';
import type { Purge } from '#kernel/kit/bin/delete-bin-entry.ts';
import type { startedAction } from '#kernel/kit/bulk/job.ts';
import { bury } from '#kernel/kit/deletion/tombstone.ts';
import { newActionId, startAction } from '#kernel/kit/jobs/action.ts';
import { newJob } from '#kernel/kit/jobs/job.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { deletionJobs } from './job.ts';

const lists = Object.values(campaignLists);

function resourceProtected(id: string): ServiceError {
  return new ServiceError('resource_protected', {
    details: 'the campaign is protected and cannot be deleted',
    resource: { id, type: 'campaign' },
  });
}

type Named = Pick<CampaignItem, 'id' | 'name'>;

function freeName({ project }: Pick<Reading, 'project'>, { id, name }: Named): Effect {
  return remove(campaignNames(project.id, name), (update) => update.whenStill('campaign_id', id));
}

/** Notes the entry of the bin on the name, so that the refusal of another campaign of this name can say which entry to delete. */
function keepName({ project }: Pick<Reading, 'project'>, { id, name }: Named, entryId: string): Effect {
  return change(campaignNames(project.id, name), (update) =>
    update.whenStill('campaign_id', id).set(['bin_entry'], entryId),
  );
}

/**
 * Deletes a campaign with everything in it. Reads no longer find it from then on, and a job removes it. By default it
 * is in the bin, where its name and codes stay in use. With `force` it is deleted permanently. 404 if it is missing,
 * 400 if it is protected. `checkPath` throws if the path does not lead to this campaign.
 */
export async function deleteCampaign(
  context: Starting,
  idOrName: string,
  { force = false }: { force?: boolean | undefined },
  checkPath?: (item: CampaignItem) => void,
): Promise<v.InferOutput<typeof startedAction>> {
  const { table, project, now } = context;
  return retryOptimistically(table, async () => {
    const item = await campaignOr404(context, idOrName);
    checkPath?.(item);
    if (item.protected) throw resourceProtected(item.id);
    const { id, name, vouchers_count: steps = 0 } = item;
    const key = campaigns(project.id, id);
    const version = newVersion();
    const entry = {
      resource_id: id,
      resource_type: 'campaign',
      resource_name: name,
      resource_parent_id: null,
    } as const;
    const bin = force ? undefined : makeBinEntry(project.id, entry, now);
    const action = { id: newActionId(now), kind: 'delete-campaign', type: 'CAMPAIGN.VOUCHERS_DELETE', steps } as const;
    const started = startAction(context, { ...action, about: id }, { deletion: action.id, keeps: !force });
    const done = await commit(table, [
      change(key, (update) =>
        bury(update, lists, now)
          .whenUnsetOr('protected', false)
          .set(['version'], version)
          .set(['deletion'], action.id)
          .take({ bin_entry: bin?.entryId }, ['bin_entry']),
      ),
      ...versionChanges(key, version),
      ...noteResource(project.id, 'campaign', { id, version: undefined }),
      ...removeRuleAssignments(project.id, item.validation_rules_assignments),
      insert(started.key, started.insert),
      ...(bin ? [bin.effect, keepName(context, item, bin.entryId)] : [freeName(context, item)]),
    ]);
    return done ? { async_action_id: action.id } : again;
  });
}

/** Frees the name of a campaign in the bin immediately, and its codes by a job. */
export const purgeCampaign: Purge = async (context, { id: entryId, resource_id: id, resource_name: name }) => {
  const { table, project, now } = context;
  const key = campaigns(project.id, id);
  const [tombstone] = await table.getMany([key], { deletedToo: true });
  if (tombstone?.bin_entry !== entryId) return [];
  const deletion = randomUUID();
  const jobKey = { ...deletionJobs(project.id, 'DELETION', deletion), kind: 'delete-campaign' };
  const job = { kind: 'delete-campaign', about: id, project_id: project.id } as const;
  return [
    change(key, (update) => update.whenStill('bin_entry', entryId).set(['deletion'], deletion).remove(['bin_entry'])),
    insert(jobKey, newJob(jobKey, job, now, { deletion, keeps: false }).insert),
    freeName(context, { id, name }),
  ];
};
