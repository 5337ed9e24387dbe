import * as v from 'valibot';
import { getVoucherRedemptions, voucherRedemptions } from '../../lib/checkout/redemptions/get-redemption.ts';
import { operation } from '../../lib/http/operation.ts';
import { pageQuery } from '../../lib/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/redemption',
    scope: 'vouchers',
    summary: 'Get how a voucher was redeemed',
    note: 'How often, how often it may be, and a page of its redemptions and rollbacks, newest first.',
    params: { code: 'The code or the id.' },
    query: v.object(pageQuery),
    answers: 'The figures, with the page.',
    reply: voucherRedemptions,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => getVoucherRedemptions(call, call.params.code, call.query),
);
