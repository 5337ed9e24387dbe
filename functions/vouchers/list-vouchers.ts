import { listVouchers, vouchersListed } from '#engine/vouchers/search/list-vouchers.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers',
    scope: 'vouchers',
    summary: 'List vouchers',
    note:
      'Returns the newest first unless `order` says otherwise. Filters, also by category and change, look at ' +
      '10,000 vouchers in a request. If more may match, `more_starting_after` says where to continue. Order by ' +
      'code sorts only the newest 10,000.',
    query: vouchersListed.query,
    answers: 'A page of the vouchers.',
    reply: vouchersListed.reply,
    example: { query: 'campaign=Early%20tide&limit=2' },
  },
  (call) => listVouchers(call, call.query),
);
