import { customer } from '#engine/customers/customer.ts';
import { getCustomer } from '#engine/customers/get-customer.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}',
    scope: 'customers',
    summary: 'Get a customer',
    note: "The reply has figures of orders, redemptions and points. It does not list the customer's codes.",
    answers: 'The customer.',
    reply: customer,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' } },
  },
  (call) => getCustomer(call, call.params.customerId),
);
