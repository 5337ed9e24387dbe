import { operation } from '../../lib/http/operation.ts';
import { asyncAction } from '../../lib/kit/async-actions/async-action.ts';
import { getAction } from '../../lib/kit/async-actions/read-actions.ts';

export const handler = operation(
  {
    route: 'GET /v1/async-actions/{asyncActionId}',
    scope: 'async-actions',
    summary: 'Get an async action',
    answers: 'The action. It has a result once it has ended.',
    reply: asyncAction,
    errors: ['not_found'],
    example: { params: { asyncActionId: 'aa_of_the_example' } },
  },
  (call) => getAction(call, call.params.asyncActionId),
);
