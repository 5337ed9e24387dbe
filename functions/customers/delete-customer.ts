import { deleteCustomer } from '#engine/customers/delete-customer.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/customers/{customerId}',
    scope: 'customers',
    summary: 'Delete a customer',
    note: "The customer's vouchers stay, without a holder. The source id is free immediately.",
    answers: 'The customer is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-190' } },
  },
  async (call) => {
    await deleteCustomer(call, call.params.customerId);
  },
);
