import { campaigns } from '#engine/campaigns/campaign.ts';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { change, check, type Effect } from '#kernel/table/effects.ts';
import { newVersion } from '#kernel/table/version-copies.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import type { Price } from './find-assignment.ts';
import type { RewardAssignmentItem } from './reward.ts';

/**
 * Stores the reward that a programme's members get automatically. The campaign has the reward's id, so that requests
 * that credit points know it, and the write refuses a second reward.
 */

/** Returns the stored form of a price. */
export function storePrice({ points, auto_redeem }: Price): { points: number; auto_redeem?: boolean } {
  return { points, ...(typeof auto_redeem === 'boolean' ? { auto_redeem } : {}) };
}

export function isAutomaticAssignment({ parameters }: Pick<RewardAssignmentItem, 'parameters'>): boolean {
  return parameters?.loyalty?.auto_redeem === true;
}

function another(rewardId: string): ServiceError {
  return new ServiceError('invalid_payload', {
    details: `parameters.loyalty.auto_redeem must not be true: a programme can have one reward with auto_redeem, which is ${rewardId}`,
  });
}

/** Returns the effect that changes the campaign's setting. It requires the setting `before`. */
function borne(projectId: string, campaignId: string, before: string | undefined, after: string | undefined): Effect[] {
  const key = campaigns(projectId, campaignId);
  const version = newVersion();
  const changed = change(key, (update) => {
    update.whenThere().whenStill('auto_redeem', before).set(['version'], version);
    return after === undefined ? update.remove(['auto_redeem']) : update.set(['auto_redeem'], after);
  });
  return [
    changed,
    ...versionChanges(key, version),
    ...noteResource(projectId, 'campaign', { id: campaignId, version }),
  ];
}

/**
 * Returns the effects for new automatic rewards. They also require that the programme exists. 400 `invalid_payload` for
 * a second reward.
 */
export async function giveAutomatically(
  context: Reading,
  campaignId: string,
  rewardIds: readonly string[],
): Promise<Effect[]> {
  const { project } = context;
  const [first, second] = rewardIds;
  if (first === undefined) {
    const gone = () => notFound('campaign', campaignId);
    return [check(campaigns(project.id, campaignId), (update) => update.whenThere(), gone)];
  }
  if (second !== undefined) throw another(first);
  const campaign = (await readTerms(context, [campaignId])).get(campaignId);
  if (!campaign) throw notFound('campaign', campaignId);
  if (campaign.auto_redeem !== undefined) throw another(campaign.auto_redeem);
  return borne(project.id, campaignId, undefined, first);
}

/** Returns the effect for a changed or removed assignment. */
export async function giveAnew(
  context: Reading,
  before: RewardAssignmentItem,
  after: RewardAssignmentItem,
): Promise<Effect[]> {
  if (isAutomaticAssignment(before) === isAutomaticAssignment(after)) return [];
  const { reward_id: rewardId, related_object_id: campaignId } = before;
  const known = (await readTerms(context, [campaignId])).get(campaignId)?.auto_redeem;
  if (!isAutomaticAssignment(after))
    return known === rewardId ? borne(context.project.id, campaignId, known, undefined) : [];
  if (known !== undefined && known !== rewardId) throw another(known);
  return borne(context.project.id, campaignId, known, rewardId);
}
