import { operation } from '#kernel/http/operation.ts';
import { actionsQuery, actionsReply } from '#kernel/kit/async-actions/async-action.ts';
import { listActions } from '#kernel/kit/async-actions/read-actions.ts';

export const handler = operation(
  {
    route: 'GET /v1/async-actions',
    scope: 'async-actions',
    summary: 'List async actions',
    note:
      'Returns the newest first, without their results. `end_date` leaves out actions that started at this moment ' +
      'or later.',
    query: actionsQuery,
    answers: 'A page of the actions.',
    reply: actionsReply,
    example: { query: 'limit=5&end_date=2030-01-01T00:00:00Z' },
  },
  (call) => listActions(call, call.query),
);
