import { clientRedeemed, redeemFromPage } from '../../lib/checkout/browser/checkout.ts';
import { redemptionOfPage } from '../../lib/checkout/browser/page-cart.ts';
import { redeemablesSent } from '../../lib/checkout/browser/page-weight.ts';
import { redeemErrors } from '../../lib/checkout/redemptions/redeem-errors.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/redemptions',
    caller: 'client',
    scope: 'client_redemptions',
    clientSwitch: 'redemption',
    weight: redeemablesSent,
    summary: 'Redeem redeemables on the order of a page',
    note: 'As `POST /v1/redemptions`, on a new order only. Off unless the project says otherwise.',
    body: redemptionOfPage,
    answers: 'The redemptions, of several their parent too, and the order; of customers the ids alone.',
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
  (call) => redeemFromPage(call, call.body),
);
