import * as v from 'valibot';
import { browserVoucherRedemptionBody } from '#engine/checkout/browser/cart-bodies.ts';
import { clientRedemption, redeemVoucherFromBrowser } from '#engine/checkout/browser/checkout.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { identifier, reference } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/redeem',
    caller: 'client',
    scope: 'client_redeem',
    clientSwitch: 'redemption',
    summary: 'Redeem a voucher from a browser',
    note: 'Works like `POST /client/v1/redemptions`, for one voucher.',
    query: v.object({ code: identifier, tracking_id: v.optional(reference) }),
    body: browserVoucherRedemptionBody,
    answers: 'The redemption, with the voucher after it. It shows only the ids of the customer.',
    reply: clientRedemption,
    errors: [...redeemErrors, 'duplicate_found', 'invalid_order', 'invalid_redeemables', 'no_applicable_redeemables'],
    example: { query: 'code=TIN-WINDOW', body: { order: { amount: 100 } } },
  },
  (call) => {
    const { code, tracking_id } = call.query;
    return redeemVoucherFromBrowser(call, code, { ...call.body, tracking_id: call.body.tracking_id ?? tracking_id });
  },
);
