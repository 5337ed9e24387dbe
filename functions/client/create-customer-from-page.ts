import { createCustomerFromBrowser } from '#engine/checkout/browser/create-customer.ts';
import { briefCustomer } from '#engine/customers/brief-customer.ts';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/customers',
    caller: 'client',
    scope: 'client_customers',
    clientSwitch: 'customers',
    summary: 'Create a customer from a browser',
    note:
      'A customer with a known `id` or `source_id` does not change, and the reply is the same as for a new customer. ' +
      '`metadata` is stored if the switch `client.customer_metadata` is on.',
    body: createCustomerBody,
    answers: 'The customer, with ids only.',
    reply: briefCustomer,
    errors: ['not_found', 'duplicate_found'],
    example: { body: { source_id: 'crm-105', name: 'Signe Moe' } },
  },
  (call) => createCustomerFromBrowser(call, call.body),
);
