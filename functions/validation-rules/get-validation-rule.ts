import { operation } from '../../lib/http/operation.ts';
import { validationRule } from '../../lib/rules/resource.ts';
import { getValidationRule } from '../../lib/vouchers/assignments/show-rule.ts';

export const handler = operation(
  {
    route: 'GET /v1/validation-rules/{validationRuleId}',
    scope: 'validation-rules',
    summary: 'Get a validation rule',
    answers: 'The rule.',
    reply: validationRule.reply,
    errors: ['not_found'],
    example: { params: { validationRuleId: 'val_two_bags' } },
  },
  (call) => getValidationRule(call, call.params.validationRuleId),
);
