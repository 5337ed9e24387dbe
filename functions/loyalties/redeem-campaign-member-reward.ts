import { handler as redeemReward } from './redeem-member-reward.ts';

export const handler = redeemReward.twin({
  route: 'POST /v1/loyalties/{campaignId}/members/{memberId}/redemption',
  summary: 'Redeem a reward for a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});
