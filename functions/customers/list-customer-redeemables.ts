import { listRedeemables, redeemablesListed } from '#engine/customers/list-redeemables.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/customers/{customerId}/redeemables',
    scope: 'customers',
    summary: 'List what a customer holds',
    note:
      'Returns the last assigned first unless `order` says otherwise. `status` is the first that is true of ' +
      'DISABLED, NOT_ACTIVE_YET, EXPIRED, NO_BALANCE and USED, for the voucher and its campaign. Otherwise it is ' +
      'ACTIVE.',
    query: redeemablesListed.query,
    answers: 'A page of the vouchers and cards.',
    reply: redeemablesListed.reply,
    errors: ['not_found'],
    example: { params: { customerId: 'crm-101' }, query: 'filters[voucher_type][conditions][$is]=LOYALTY_CARD' },
  },
  (call) => listRedeemables(call, call.params.customerId, call.query),
);
