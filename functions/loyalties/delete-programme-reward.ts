import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeAssignment } from '../../lib/loyalty/assign-reward.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/loyalties/{campaignId}/rewards/{assignmentId}',
    scope: 'loyalties',
    summary: 'Remove a reward from a loyalty campaign',
    note: 'Loyalty tiers lose their own price for the reward.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', assignmentId: 'rewa_tin' } },
  },
  (call) => removeAssignment(call, { campaign: call.params.campaignId }, call.params.assignmentId),
);
