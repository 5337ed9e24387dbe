import type { Reading } from '#kernel/http/context.ts';
import { readAll } from '#kernel/table/listing.ts';
import { read, readItemsOf } from '#kernel/table/read.ts';
import {
  type RewardAssignmentItem,
  type RewardItem,
  rewardAssignmentListing,
  rewardAssignments,
  rewards,
} from './reward.ts';

export interface ProgrammeReward {
  readonly assignment: RewardAssignmentItem;
  readonly reward: RewardItem;
}

/** Reads all rewards of a programme with their assignments, the newest assignment first. */
export async function readProgrammeRewards(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
): Promise<ProgrammeReward[]> {
  const places = await readAll(table, rewardAssignmentListing, [project.id, campaignId]);
  const assignments = await readItemsOf(table, rewardAssignments, places.toReversed());
  const found = assignments.filter((one) => one !== undefined);
  const { given } = await read(table, { given: found.map(({ reward_id }) => rewards(project.id, reward_id)) });
  return found.flatMap((assignment, index) => {
    const reward = given[index];
    return reward ? [{ assignment, reward }] : [];
  });
}
