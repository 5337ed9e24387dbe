import { getStackingRules } from '#engine/checkout/stacking-rules/stacking-rules.ts';
import { shownStackingRules } from '#engine/checkout/stacking-rules/stored.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/stacking-rules/{stackingRulesId}',
    caller: 'management',
    summary: 'Get the stacking rules of a project',
    note: 'Default rules have no id, so only the list returns them.',
    answers: 'The rules.',
    reply: shownStackingRules,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', stackingRulesId: 'stk_harbour' } },
  },
  (call) => getStackingRules(call, call.params),
);
