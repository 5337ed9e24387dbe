import { operation } from '../../lib/http/operation.ts';
import { getAssignment } from '../../lib/loyalty/find-assignment.ts';
import { rewardAssignment } from '../../lib/loyalty/reward.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/rewards/{assignmentId}',
    scope: 'loyalties',
    summary: 'Get a reward assignment of a loyalty campaign by its second path',
    answers: 'The assignment.',
    reply: rewardAssignment,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', assignmentId: 'rewa_beans' } },
  },
  (call) => getAssignment(call, { campaign: call.params.campaignId }, call.params.assignmentId),
);
