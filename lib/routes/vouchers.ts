import * as v from 'valibot';
import { text } from '../schema.ts';
import { voucher } from '../vouchers/voucher.ts';
import type { Routes } from './route.ts';

/** A code or an id. */
const params = v.object({ code: text });

export const voucherRoutes = {
  'get-voucher': {
    method: 'GET',
    path: '/v1/vouchers/{code}',
    summary: 'Get a voucher',
    authentication: 'server',
    scope: 'vouchers',
    access: 'read',
    params,
    reply: { kind: 'json', status: 200, schema: voucher },
    errors: ['not_found'],
  },
  'enable-voucher': {
    method: 'POST',
    path: '/v1/vouchers/{code}/enable',
    summary: 'Enable a voucher',
    authentication: 'server',
    scope: 'vouchers',
    access: 'write',
    params,
    body: 'ignored',
    reply: { kind: 'json', status: 200, schema: voucher },
    errors: ['not_found'],
  },
} as const satisfies Routes;
