import * as v from 'valibot';
import { listVoucherRedemptions } from '#engine/checkout/redemptions/get-redemption.ts';
import { redemptionList } from '#engine/checkout/redemptions/present-redemption.ts';
import { operation } from '#kernel/http/operation.ts';
import { pageQuery } from '#kernel/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/redemptions',
    scope: 'vouchers',
    summary: 'List the redemptions of a voucher',
    note:
      'Returns the list that `redemption.url` of a voucher links to. It has redemptions and rollbacks, the newest ' +
      'first.',
    params: { code: 'Code or id of the voucher.' },
    query: v.object(pageQuery),
    answers: 'A page of the redemptions.',
    reply: redemptionList,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => listVoucherRedemptions(call, call.params.code, call.query),
);
