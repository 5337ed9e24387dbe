import * as v from 'valibot';
import { getVoucherRedemptions, voucherRedemptions } from '#engine/checkout/redemptions/get-redemption.ts';
import { operation } from '#kernel/http/operation.ts';
import { pageQuery } from '#kernel/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/redemption',
    scope: 'vouchers',
    summary: 'Get the redemption figures of a voucher',
    note:
      'Says how often the voucher was redeemed, and how often it may be. It also lists a page of redemptions and ' +
      'rollbacks, the newest first.',
    params: { code: 'Code or id of the voucher.' },
    query: v.object(pageQuery),
    answers: 'The figures, and a page of redemptions and rollbacks.',
    reply: voucherRedemptions,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => getVoucherRedemptions(call, call.params.code, call.query),
);
