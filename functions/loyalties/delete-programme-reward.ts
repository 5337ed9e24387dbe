import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeAssignment } from '../../lib/loyalty/assign-reward.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}/rewards/{assignmentId}',
    scope: 'loyalties',
    summary: 'Take a reward from a loyalty campaign',
    note: 'Loyalty tiers that change its price say nothing of it any more.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', assignmentId: 'rewa_tin' } },
  },
  (call) => removeAssignment(call, { campaign: call.params.campaignId }, call.params.assignmentId),
);
