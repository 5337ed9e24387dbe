import * as v from 'valibot';
import { pageQuery } from '../lists/page.ts';
import { transactionList } from '../loyalty/list-transactions.ts';
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
  'list-voucher-transactions': {
    method: 'GET',
    path: '/v1/vouchers/{code}/transactions',
    summary: 'List the points transactions of a voucher',
    authentication: 'server',
    scope: 'vouchers',
    access: 'read',
    params,
    query: v.object(pageQuery),
    reply: { kind: 'json', status: 200, schema: transactionList },
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
