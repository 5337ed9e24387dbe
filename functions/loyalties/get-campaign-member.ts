import { handler as getMember } from './get-member.ts';

export const handler = getMember.twin({
  route: 'GET /v1/loyalties/{campaignId}/members/{memberId}',
  summary: 'Get a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});
