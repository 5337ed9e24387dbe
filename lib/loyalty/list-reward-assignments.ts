import * as v from 'valibot';
import { readPage } from '../lists/counted-list.ts';
import { offsetOf, pageQuery } from '../lists/page.ts';
import { list } from '../schema.ts';
import { keys, orderedLists } from '../table.ts';
import { type Context, findLoyaltyCampaign } from './programme.ts';
import { presentRewardAssignment, type RewardAssignment } from './reward.ts';

export const rewardAssignmentQuery = v.object({ ...pageQuery, assignmentId: v.optional(v.string()) });

export type RewardAssignmentQuery = v.InferOutput<typeof rewardAssignmentQuery>;

export async function readRewardAssignments(
  { table, project }: Context,
  campaignId: string,
  ids: readonly string[],
): Promise<RewardAssignment[]> {
  const stored = await table.getMany(ids.map((id) => keys.rewardAssignment(project.id, campaignId, id)));
  return stored.flatMap((item) => (item ? [presentRewardAssignment(item)] : []));
}

/** Contract, endpoint 14: newest first. Costs about a page, whatever the number of assignments. */
export async function listRewardAssignments(context: Context, idOrName: string, query: RewardAssignmentQuery) {
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const offset = offsetOf(query);
  if (query.assignmentId !== undefined) {
    const matches = await readRewardAssignments(context, campaign.id, [query.assignmentId]);
    return list(matches.slice(offset, offset + query.limit), matches.length);
  }
  const { ids, total } = await readPage(
    context.table,
    orderedLists.rewardAssignments(context.project.id, campaign.id),
    { offset, limit: query.limit, descending: true },
  );
  return list(await readRewardAssignments(context, campaign.id, ids), total);
}
