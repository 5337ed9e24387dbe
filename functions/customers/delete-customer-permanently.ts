import { deletePermanently, permanentDeletion } from '#engine/customers/delete-customer.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers/{customerId}/permanent-deletion',
    scope: 'customers',
    summary: 'Delete a customer permanently',
    note:
      'Works like `DELETE`, and also lists what it found. It counts up to 10,000 activities. It erases tracking ' +
      "ids and metadata of the customer's orders, redemptions and publications. It also erases the customer's " +
      'rows in exported files.',
    body: 'ignored',
    answers: 'The data that was found. It is deleted after the reply.',
    reply: permanentDeletion,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-191' } },
  },
  (call) => deletePermanently(call, call.params.customerId),
);
