import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteRule } from '../../lib/vouchers/assignments/delete-rule.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/validation-rules/{validationRuleId}',
    scope: 'validation-rules',
    summary: 'Delete a validation rule',
    note: 'Its assignments stay. Nobody can use what has the rule until the rule is taken off it, or another put in its place.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { validationRuleId: 'val_opening_week' } },
  },
  (call) => deleteRule(call, call.params.validationRuleId),
);
