import { customerList, listCustomersQuery } from '../../lib/customers/list-customers.ts';
import { listMembers } from '../../lib/customers/segments/list-members.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers',
    scope: 'customers',
    summary: 'List customers',
    note:
      'Newest first unless `order` says otherwise. Walk it with `starting_after_id` and `more_starting_after`, or with ' +
      '`starting_after` and the `created_at` of the last one. Cities, names and dates are looked for among 10,000 customers at ' +
      'a time: where there may be more of them, `has_more` is true, and `more_starting_after` says how far it looked.',
    query: listCustomersQuery,
    answers: 'A page of the customers.',
    reply: customerList,
    example: { query: 'limit=2' },
  },
  (call) => listMembers(call, call.query),
);
