import { endpoint } from '../lib/http/endpoint.ts';
import { listVoucherTransactions } from '../lib/loyalty/list-transactions.ts';
import { voucherRoutes } from '../lib/routes/vouchers.ts';

export const handler = endpoint(voucherRoutes, 'list-voucher-transactions', (call) =>
  listVoucherTransactions(call, call.params.code, call.query),
);
