import * as v from 'valibot';
import { redemption } from '#engine/checkout/redemptions/present-redemption.ts';
import { redeem } from '#engine/checkout/redemptions/redeem.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { showOne } from '#engine/checkout/redemptions/show-redeemed.ts';
import { oneVoucherBody, readAskedVoucher } from '#engine/checkout/validations/one-voucher.ts';
import { reference } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/redemption',
    scope: 'vouchers',
    summary: 'Redeem a voucher',
    note: 'Works like `POST /v1/redemptions`, for one redeemable.',
    query: v.object({ tracking_id: v.optional(reference) }),
    body: oneVoucherBody,
    answers: 'The redemption, with the voucher after it.',
    reply: redemption,
    errors: [...redeemErrors, 'duplicate_found', 'invalid_redeemables', 'no_applicable_redeemables'],
    example: {
      params: { code: 'SPILT-MY-CUP' },
      body: { order: { items: [{ source_id: 'espresso', quantity: 2, price: 4500 }] } },
    },
  },
  async (call) => {
    const { tracking_id } = call.query;
    const body = { ...call.body, tracking_id: call.body.tracking_id ?? tracking_id };
    return redeem(call, readAskedVoucher(call.params.code, body), (done) => showOne(call, done));
  },
);
