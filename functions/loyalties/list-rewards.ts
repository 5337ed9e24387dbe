import { handler as listAssignments } from './list-reward-assignments.ts';

export const handler = listAssignments.twin({
  route: 'GET /v1/loyalties/{campaignId}/rewards',
  summary: 'List the reward assignments of a loyalty campaign by its second path',
  note: 'Returns the same list as `/reward-assignments`.',
});
