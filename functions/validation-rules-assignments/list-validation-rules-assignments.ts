import {
  assignmentsQuery,
  listAssignments,
  ruleAssignmentList,
} from '#engine/vouchers/assignments/list-assignments.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/validation-rules-assignments',
    scope: 'validation-rules-assignments',
    summary: 'List the assignments of validation rules',
    note:
      'Returns the newest first unless `order` says otherwise. An assignment to a deleted object is not shown, ' +
      'but `total` may count it.',
    answers: 'The assignments.',
    query: assignmentsQuery,
    reply: ruleAssignmentList,
    example: { query: 'related_object_id=promo_two_bags&rule=val_two_bags' },
  },
  (call) => listAssignments(call, call.query),
);
