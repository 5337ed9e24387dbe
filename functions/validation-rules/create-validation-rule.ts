import { createRuleBody, createValidationRule } from '#engine/vouchers/assignments/save-rule.ts';
import { createdRule } from '#engine/vouchers/assignments/show-rule.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/validation-rules',
    scope: 'validation-rules',
    summary: 'Create a validation rule',
    note: 'The rule has no effect until it is assigned to an object. See docs/validation-rules.md#validation-rules.',
    answers: 'The rule.',
    body: createRuleBody,
    reply: createdRule,
    errors: ['invalid_validation_rules', 'not_found'],
    example: {
      body: {
        name: 'Three bags, or a regular',
        rules: {
          '1': {
            name: 'order.items.any',
            conditions: { $is: [{ id: 'prod_espresso', object: 'product' }] },
            rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [3] } } },
            error: { message: 'Take three bags of espresso' },
          },
          '2': { name: 'customer.metadata', property: 'regular', conditions: { $is: [true] } },
          logic: '1 or 2',
        },
        applicable_to: { included: [{ object: 'product', id: 'prod_espresso' }] },
        context_type: 'campaign.discount_coupons',
      },
    },
  },
  (call) => createValidationRule(call, call.body),
);
