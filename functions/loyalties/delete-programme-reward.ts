import { removeAssignment } from '#engine/loyalty/assign-reward.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

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
