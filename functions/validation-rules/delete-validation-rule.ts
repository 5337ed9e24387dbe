import { deleteValidationRule } from '#engine/vouchers/assignments/delete-rule.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/validation-rules/{validationRuleId}',
    scope: 'validation-rules',
    summary: 'Delete a validation rule',
    note: 'The assignments stay. An object with the deleted rule cannot be used until the rule is removed or replaced.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { validationRuleId: 'val_opening_week' } },
  },
  (call) => deleteValidationRule(call, call.params.validationRuleId),
);
