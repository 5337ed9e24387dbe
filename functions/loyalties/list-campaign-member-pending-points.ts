import { handler as listPendingPoints } from './list-member-pending-points.ts';

export const handler = listPendingPoints.twin({
  route: 'GET /v1/loyalties/{campaignId}/members/{memberId}/pending-points',
  summary: 'List the pending points of a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});
