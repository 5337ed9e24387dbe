import * as v from 'valibot';
import { findLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { described } from '#kernel/core/documented.ts';
import { reference, wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, pageQuery } from '#kernel/http/page.ts';
import { readPage } from '#kernel/table/listing.ts';
import { read, readItemsOf } from '#kernel/table/read.ts';
import { readTotal } from '#kernel/table/totals.ts';
import {
  presentRewardAssignment,
  type RewardAssignment,
  rewardAssignmentListing,
  rewardAssignments,
} from './reward.ts';

const onlyOne = 'Only the reward assignment with this id.';

export const rewardAssignmentQuery = v.object({
  ...pageQuery,
  assignmentId: described(v.optional(reference), onlyOne),
  assignment_id: described(v.optional(reference), onlyOne),
});

export type RewardAssignmentQuery = v.InferOutput<typeof rewardAssignmentQuery>;

/** Selects the programme's assignments with these ids. */
async function selectAssignments(
  { table, project }: Reading,
  campaignId: string,
  ids: readonly string[],
): Promise<RewardAssignment[]> {
  const { found } = await read(table, { found: ids.map((id) => rewardAssignments(project.id, id)) });
  return found.flatMap((item) => (item?.related_object_id === campaignId ? [presentRewardAssignment(item)] : []));
}

/** Lists assignments, newest first. Costs about a page, whatever their number. */
export async function listRewardAssignments(context: Reading, idOrName: string, query: RewardAssignmentQuery) {
  const { table, project } = context;
  const { item: campaign } = await findLoyaltyCampaign(context, idOrName);
  const offset = computeOffset(query);
  const wanted = query.assignment_id ?? query.assignmentId;
  if (wanted !== undefined) {
    const matches = await selectAssignments(context, campaign.id, [wanted]);
    return wrapList(matches.slice(offset, offset + query.limit), matches.length);
  }
  const owner = [project.id, campaign.id] as const;
  const place = { offset, limit: query.limit, descending: true };
  const found = await readPage(table, rewardAssignmentListing, owner, place);
  const items = await readItemsOf(table, rewardAssignments, found.page);
  const shown = items.flatMap((item) => (item ? [presentRewardAssignment(item)] : []));
  return wrapList(shown, await readTotal(table, rewardAssignmentListing, owner, found));
}
