import { validationRule } from '#engine/rules/resource.ts';
import { updateValidationRule } from '#engine/vouchers/assignments/save-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/validation-rules/{validationRuleId}',
    scope: 'validation-rules',
    summary: 'Update a validation rule',
    note:
      'Changes only the fields that are sent. `rules` and `bundle_rules` are replaced as a whole, and `null` ' +
      'clears a field. The change applies immediately to every object with the rule.',
    answers: 'The updated rule.',
    body: validationRule.updateBody,
    reply: validationRule.reply,
    errors: ['invalid_validation_rules', 'not_found'],
    example: { params: { validationRuleId: 'val_two_bags' }, body: { name: 'Two bags of beans' } },
  },
  (call) => updateValidationRule(call, call.params.validationRuleId, call.body),
);
