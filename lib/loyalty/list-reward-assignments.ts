import * as v from 'valibot';
import { described } from '../documented.ts';
import { offsetOf, pageQuery } from '../http/page.ts';
import { list } from '../schema.ts';
import type { Key } from '../table/keys.ts';
import { readPage } from '../table/listing.ts';
import { totalOf } from '../table/totals.ts';
import { type Context, findLoyaltyCampaign } from './programme.ts';
import { assignmentList, presentRewardAssignment, type RewardAssignment, rewardAssignments } from './reward.ts';

export const rewardAssignmentQuery = v.object({
  ...pageQuery,
  assignmentId: described(v.optional(v.string()), 'Only the reward assignment with this id.'),
});

export type RewardAssignmentQuery = v.InferOutput<typeof rewardAssignmentQuery>;

async function readAssignments({ table }: Context, wanted: readonly Key[]): Promise<RewardAssignment[]> {
  const stored = await table.getMany(wanted);
  return stored.flatMap((item) => (item ? [presentRewardAssignment(item)] : []));
}

/** Those of the programme that have these ids. */
export function assignmentsById(context: Context, campaignId: string, ids: readonly string[]) {
  return readAssignments(
    context,
    ids.map((id) => rewardAssignments(context.project.id, campaignId, id)),
  );
}

/** Newest first. Costs about a page, whatever the number of assignments. */
export async function listRewardAssignments(context: Context, idOrName: string, query: RewardAssignmentQuery) {
  const { table, project } = context;
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const offset = offsetOf(query);
  if (query.assignmentId !== undefined) {
    const matches = await assignmentsById(context, campaign.id, [query.assignmentId]);
    return list(matches.slice(offset, offset + query.limit), matches.length);
  }
  const owner = [project.id, campaign.id] as const;
  const found = await readPage(table, assignmentList, owner, { offset, limit: query.limit, descending: true });
  const wanted = found.page.map(({ key }) => key);
  return list(await readAssignments(context, wanted), await totalOf(table, assignmentList, owner, found));
}
