import * as v from 'valibot';
import { listAssignments, ruleAssignmentList } from '#engine/vouchers/assignments/list-assignments.ts';
import { operation } from '#kernel/http/operation.ts';
import { pageQuery } from '#kernel/http/page.ts';

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
