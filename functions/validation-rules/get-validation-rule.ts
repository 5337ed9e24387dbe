import { validationRule } from '#engine/rules/resource.ts';
import { getValidationRule } from '#engine/vouchers/assignments/show-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/validation-rules/{validationRuleId}',
    scope: 'validation-rules',
    summary: 'Get a validation rule',
    note: 'The reply does not list the objects that the rule is assigned to.',
    answers: 'The rule.',
    reply: validationRule.reply,
    errors: ['not_found'],
    example: { params: { validationRuleId: 'val_two_bags' } },
  },
  (call) => getValidationRule(call, call.params.validationRuleId),
);
