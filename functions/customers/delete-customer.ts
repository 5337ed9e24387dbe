import { deleteCustomer } from '../../lib/customers/delete-customer.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/customers/{customerId}',
    scope: 'customers',
    summary: 'Delete a customer',
    note: 'Their vouchers stay, without a holder. Their source id is free at once.',
    answers: 'Nothing: from here on the customer is not found.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-190' } },
  },
  async (call) => {
    await deleteCustomer(call, call.params.customerId);
  },
);
