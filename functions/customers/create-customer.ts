import { customer } from '#engine/customers/customer.ts';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { createCustomer } from '#engine/customers/save-customer.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/customers',
    scope: 'customers',
    summary: 'Create or update a customer',
    note: 'A known `id` or `source_id` updates that customer. Without both it always creates a customer.',
    body: createCustomerBody,
    answers: 'The customer.',
    reply: customer,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { source_id: 'crm-104', name: 'Marte Lie', metadata: { roast: 'dark' } } },
  },
  (call) => createCustomer(call, call.body),
);
