import { customersListed, listCustomersQuery } from '#engine/customers/list-customers.ts';
import { listSegmentMembers } from '#engine/customers/segments/list-members.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers',
    scope: 'customers',
    summary: 'List customers',
    note:
      'Returns the newest first unless `order` says otherwise. Read on with `starting_after_id` and ' +
      '`more_starting_after`, or with `starting_after` and the last `created_at`. Filters by city, name and date ' +
      'look at 10,000 customers in a request. If more customers may match, `has_more` is true and ' +
      '`more_starting_after` says where to continue.',
    query: listCustomersQuery,
    answers: 'A page of the customers.',
    reply: customersListed.reply,
    example: { query: 'limit=2' },
  },
  (call) => listSegmentMembers(call, call.query),
);
