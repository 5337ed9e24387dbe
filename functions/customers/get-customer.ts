import { customer } from '../../lib/customers/customer.ts';
import { getCustomer } from '../../lib/customers/get-customer.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}',
    scope: 'customers',
    summary: 'Get a customer',
    answers: 'The customer.',
    reply: customer,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' } },
  },
  (call) => getCustomer(call, call.params.customerId),
);
