import * as v from 'valibot';
import { listVoucherRedemptions } from '../../lib/checkout/redemptions/get-redemption.ts';
import { redemptionList } from '../../lib/checkout/redemptions/present-redemption.ts';
import { operation } from '../../lib/http/operation.ts';
import { pageQuery } from '../../lib/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/redemptions',
    scope: 'vouchers',
    summary: 'List the redemptions of a voucher',
    note: 'What `redemption.url` of a voucher names: redemptions and rollbacks, newest first.',
    params: { code: 'The code or the id.' },
    query: v.object(pageQuery),
    answers: 'A page of the redemptions.',
    reply: redemptionList,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => listVoucherRedemptions(call, call.params.code, call.query),
);
