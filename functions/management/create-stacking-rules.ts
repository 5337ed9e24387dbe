import { createStackingRules } from '#engine/checkout/stacking-rules/stacking-rules.ts';
import { shownStackingRules, stackingRulesBody } from '#engine/checkout/stacking-rules/stored.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/stacking-rules',
    caller: 'management',
    summary: 'Create the stacking rules of a project',
    note: 'Fields that are not sent get their defaults. A project has one document of stacking rules.',
    body: stackingRulesBody,
    answers: 'The rules.',
    reply: shownStackingRules,
    errors: ['not_found', 'stacking_rules_exist'],
    example: {
      params: { projectId: 'proj_demo' },
      body: { applicable_redeemables_limit: 3, redeemables_application_mode: 'PARTIAL', joint_categories: [] },
    },
  },
  (call) => createStackingRules(call, call.params.projectId, call.body),
);
