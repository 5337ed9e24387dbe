import { browserQualificationBody } from '#engine/checkout/browser/cart-bodies.ts';
import { clientQualification, qualifyFromBrowser } from '#engine/checkout/browser/qualify.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/qualifications',
    caller: 'client',
    scope: 'client_qualifications',
    summary: 'Find what a customer could use on the cart of a browser',
    note:
      'Works like `POST /v1/qualifications`, but accepts no stored orders and leaves out rules and standalone ' +
      "codes. It shows the customer's own codes only if the project switches `client.wallet` on.",
    body: browserQualificationBody,
    answers: 'A page of the redeemables that qualify, each with its effect on the order.',
    reply: clientQualification,
    table: 'read',
    errors: ['not_found', 'duplicate_found', 'client_side_disabled'],
    example: {
      body: {
        customer: { source_id: 'ingrid' },
        order: { items: [{ product_id: 'prod_beans', quantity: 2 }] },
        options: { limit: 10, expand: ['redeemable'] },
      },
    },
  },
  (call) => qualifyFromBrowser(call, call.body),
);
