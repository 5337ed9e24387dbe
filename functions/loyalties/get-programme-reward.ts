import { handler as getAssignment } from './get-reward-assignment.ts';

export const handler = getAssignment.twin({
  route: 'GET /v1/loyalties/{campaignId}/rewards/{assignmentId}',
  summary: 'Get a reward assignment of a loyalty campaign by its second path',
});
