import { endpoint } from '../lib/http/endpoint.ts';
import { voucherRoutes } from '../lib/routes/vouchers.ts';
import { getVoucher } from '../lib/vouchers/get-voucher.ts';

export const handler = endpoint(voucherRoutes, 'get-voucher', (call) => getVoucher(call, call.params.code));
