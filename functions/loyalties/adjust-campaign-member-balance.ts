import { handler as adjustBalance } from './adjust-member-balance.ts';

export const handler = adjustBalance.twin({
  route: 'POST /v1/loyalties/{campaignId}/members/{memberId}/balance',
  summary: 'Adjust the points of a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});
