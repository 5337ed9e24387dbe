import { customer } from '#engine/customers/customer.ts';
import { updateCustomerBody } from '#engine/customers/customer-body.ts';
import { updateCustomer } from '#engine/customers/save-customer.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/customers/{customerId}',
    scope: 'customers',
    summary: 'Update a customer',
    note: "Fields that are not sent stay unchanged. A `source_id` never changes, and the body's is ignored.",
    body: updateCustomerBody,
    answers: 'The customer.',
    reply: customer,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' }, body: { phone: '+47 555 01 109', metadata: { roast: 'medium' } } },
  },
  (call) => updateCustomer(call, call.params.customerId, call.body),
);
