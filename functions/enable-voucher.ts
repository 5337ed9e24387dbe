import { endpoint } from '../lib/http/endpoint.ts';
import { voucherRoutes } from '../lib/routes/vouchers.ts';
import { enableVoucher } from '../lib/vouchers/enable-voucher.ts';

export const handler = endpoint(voucherRoutes, 'enable-voucher', (call) => enableVoucher(call, call.params.code));
