import { listStackingRules } from '#engine/checkout/stacking-rules/stacking-rules.ts';
import { stackingRulesList } from '#engine/checkout/stacking-rules/stored.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/stacking-rules',
    caller: 'management',
    summary: 'List the stacking rules of a project',
    note: 'A project without stacking rules follows the default rules.',
    answers: "One document: the project's own rules, or the default rules, which have no id.",
    reply: stackingRulesList,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listStackingRules(call, call.params.projectId),
);
