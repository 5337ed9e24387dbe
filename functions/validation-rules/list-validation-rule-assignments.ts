import * as v from 'valibot';
import { operation } from '../../lib/http/operation.ts';
import { pageQuery } from '../../lib/http/page.ts';
import { listAssignments, ruleAssignmentList } from '../../lib/vouchers/assignments/list-assignments.ts';

export const handler = operation(
  {
    route: 'GET /v1/validation-rules/{validationRuleId}/assignments',
    scope: 'validation-rules',
    summary: 'List the assignments of a validation rule',
    note: 'Returns the newest first. The list of an unknown rule is empty.',
    answers: 'The assignments.',
    query: v.object(pageQuery),
    reply: ruleAssignmentList,
    example: { params: { validationRuleId: 'val_two_bags' } },
  },
  (call) => listAssignments(call, { ...call.query, rule: call.params.validationRuleId }),
);
