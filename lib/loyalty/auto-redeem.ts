import { campaigns } from '../campaigns/campaign.ts';
import { readTerms } from '../campaigns/campaign-terms.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { notedAs } from '../kit/offered/noted.ts';
import { change, check, type Effect } from '../table/effects.ts';
import { newVersion } from '../table/version-copies.ts';
import { versionChanges } from '../table/versioned.ts';
import type { Price } from './assignment-body.ts';
import type { RewardAssignmentItem } from './reward.ts';

/**
 * The one reward of a programme that its members get by themselves. Its assignment says so; the campaign bears the reward's id, so
 * that whoever credits points knows of it, and a second one is refused by the write.
 */

/** As it is stored. */
export function keptPrice({ points, auto_redeem }: Price): { points: number; auto_redeem?: boolean } {
  return { points, ...(typeof auto_redeem === 'boolean' ? { auto_redeem } : {}) };
}

export function isByItself({ parameters }: Pick<RewardAssignmentItem, 'parameters'>): boolean {
  return parameters?.loyalty?.auto_redeem === true;
}

function another(rewardId: string): ServiceError {
  return new ServiceError('invalid_payload', {
    details: `parameters.loyalty.auto_redeem must not be true: a programme has one such reward, which is ${rewardId}`,
  });
}

/** What the campaign bears, written on the condition that it bore `before`. */
function borne(projectId: string, campaignId: string, before: string | undefined, after: string | undefined): Effect[] {
  const key = campaigns(projectId, campaignId);
  const version = newVersion();
  const changed = change(key, (update) => {
    update.whenThere().whenStill('auto_redeem', before).set(['version'], version);
    return after === undefined ? update.remove(['auto_redeem']) : update.set(['auto_redeem'], after);
  });
  return [changed, ...versionChanges(key, version), ...notedAs(projectId, 'campaign', { id: campaignId, version })];
}

/** The programme is there, and these of its new rewards are the one: 400 `invalid_payload` where it has one. */
export async function givenByItself(
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

/** The same where an assignment changes, or goes. */
export async function givenAnew(
  context: Reading,
  before: RewardAssignmentItem,
  after: RewardAssignmentItem,
): Promise<Effect[]> {
  if (isByItself(before) === isByItself(after)) return [];
  const { reward_id: rewardId, related_object_id: campaignId } = before;
  const known = (await readTerms(context, [campaignId])).get(campaignId)?.auto_redeem;
  if (!isByItself(after)) return known === rewardId ? borne(context.project.id, campaignId, known, undefined) : [];
  if (known !== undefined && known !== rewardId) throw another(known);
  return borne(context.project.id, campaignId, known, rewardId);
}
