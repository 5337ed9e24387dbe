import { deleteStackingRules } from '#engine/checkout/stacking-rules/stacking-rules.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/stacking-rules/{stackingRulesId}',
    caller: 'management',
    summary: 'Delete the stacking rules of a project',
    note: 'The default rules then apply.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', stackingRulesId: 'stk_harbour' } },
  },
  (call) => deleteStackingRules(call, call.params),
);
