import { deletePermanently, permanentDeletion } from '../../lib/customers/delete-customer.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/{customerId}/permanent-deletion',
    scope: 'customers',
    summary: 'Delete a customer permanently',
    note:
      'As `DELETE` does, and says what there was: up to 10,000 activities are counted. Tracking ids and metadata of the orders, redemptions and ' +
      'publications are erased, and rows of exported files that name the customer.',
    body: 'ignored',
    answers: 'What was found. It is taken away behind the request.',
    reply: permanentDeletion,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-191' } },
  },
  (call) => deletePermanently(call, call.params.customerId),
);
