import { operation } from '../../lib/http/operation.ts';
import { listVouchers, listVouchersQuery, voucherList } from '../../lib/vouchers/search/list-vouchers.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers',
    scope: 'vouchers',
    summary: 'List vouchers',
    note:
      'Newest first unless `order` says otherwise. Categories, changes and filters are looked for among 10,000 vouchers at a time, ' +
      'where there may be more, `more_starting_after` says how far it looked; ordered by code, the newest 10,000 are sorted.',
    query: listVouchersQuery,
    answers: 'A page of the vouchers.',
    reply: voucherList,
    example: { query: 'campaign=Early%20tide&limit=2' },
  },
  (call) => listVouchers(call, call.query),
);
