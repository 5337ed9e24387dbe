import { browserRedemptionBody } from '#engine/checkout/browser/cart-bodies.ts';
import { clientRedeemed, redeemFromBrowser } from '#engine/checkout/browser/checkout.ts';
import { countSentRedeemables } from '#engine/checkout/browser/rate-weight.ts';
import { redeemErrors } from '#engine/checkout/redemptions/redeem-errors.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/redemptions',
    caller: 'client',
    scope: 'client_redemptions',
    clientSwitch: 'redemption',
    weight: countSentRedeemables,
    summary: 'Redeem redeemables on the order of a browser',
    note: 'Works like `POST /v1/redemptions`, but only on a new order. It is off unless the project switches it on.',
    body: browserRedemptionBody,
    answers:
      'The redemptions and the order. Several redemptions also have a parent. Only the ids of customers are shown.',
    reply: clientRedeemed,
    errors: [
      ...redeemErrors,
      'duplicate_found',
      'duplicated_redeemables',
      'invalid_order',
      'invalid_redeemables',
      'no_applicable_redeemables',
    ],
    example: {
      body: {
        redeemables: [{ object: 'voucher', id: 'TIN-WINDOW', gift: { credits: 50 } }],
        customer: { source_id: 'ingrid' },
        order: { items: [{ product_id: 'prod_beans', quantity: 2 }] },
      },
    },
  },
  (call) => redeemFromBrowser(call, call.body),
);
