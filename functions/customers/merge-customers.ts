import { mergeBody, startMerge } from '#engine/customers/merge/start-merge.ts';
import { operation } from '#kernel/http/operation.ts';
import { json } from '#kernel/http/route.ts';
import { startedAction } from '#kernel/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/{customerId}/merge',
    scope: 'customers',
    summary: 'Merge customers',
    note:
      'Moves everything of the customer `from` to the customer of the path: vouchers, cards with their points, orders, redemptions, ' +
      'publications, activities and memberships. The old id and source id lead to the customer of the path from the reply on. ' +
      'An async action moves the rest.',
    body: mergeBody,
    answers: 'The id of the async action.',
    reply: json(startedAction, { status: 202 }),
    errors: ['not_found', 'cards_of_one_programme'],
    example: { params: { customerId: 'crm-101' }, body: { from: 'cust_sian', move_points: true } },
  },
  (call) => startMerge(call, call.params.customerId, call.body),
);
