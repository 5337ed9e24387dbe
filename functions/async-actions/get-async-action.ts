import { showsReports } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';
import { asyncAction } from '#kernel/kit/async-actions/async-action.ts';
import { getAction } from '#kernel/kit/async-actions/read-actions.ts';

export const handler = operation(
  {
    route: 'GET /v1/async-actions/{asyncActionId}',
    scope: 'async-actions',
    summary: 'Get an async action',
    note: 'The result of an update has a CSV file in `reports`, for a week. Everyone with its address can read it, for at most a day.',
    files: showsReports,
    answers: 'The action. It has a result once it has ended.',
    reply: asyncAction,
    errors: ['not_found'],
    example: { params: { asyncActionId: 'aa_of_the_example' } },
  },
  (call) => getAction(call, call.params.asyncActionId),
);
