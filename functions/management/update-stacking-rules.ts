import { updateStackingRules } from '#engine/checkout/stacking-rules/stacking-rules.ts';
import { shownStackingRules, stackingRulesBody } from '#engine/checkout/stacking-rules/stored.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/stacking-rules/{stackingRulesId}',
    caller: 'management',
    summary: 'Update the stacking rules of a project',
    note: 'Changes only the fields that are sent. Lists and the limits of categories are replaced as a whole.',
    body: stackingRulesBody,
    answers: 'The updated rules.',
    reply: shownStackingRules,
    errors: ['not_found'],
    example: {
      params: { projectId: 'proj_demo', stackingRulesId: 'stk_harbour' },
      body: { applicable_redeemables_limit: 3, applicable_redeemables_category_limits: { cat_counter: 2 } },
    },
  },
  (call) => updateStackingRules(call, call.params, call.body),
);
