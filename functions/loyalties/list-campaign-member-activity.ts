import { handler as listActivity } from './list-member-activity.ts';

export const handler = listActivity.twin({
  route: 'GET /v1/loyalties/{campaignId}/members/{memberId}/activity',
  summary: 'Walk the activities of a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});
