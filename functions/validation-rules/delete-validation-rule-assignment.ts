import { unassignRule } from '#engine/vouchers/assignments/assign.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/validation-rules/{validationRuleId}/assignments/{assignmentId}',
    scope: 'validation-rules',
    summary: 'Remove a validation rule from an object',
    note: 'The rule itself may already be deleted.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { validationRuleId: 'val_two_bags', assignmentId: 'asgm_beans' } },
  },
  (call) => unassignRule(call, call.params.validationRuleId, call.params.assignmentId),
);
