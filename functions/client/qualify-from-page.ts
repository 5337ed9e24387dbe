import { qualificationOfPage } from '../../lib/checkout/browser/page-cart.ts';
import { clientQualification, qualifyFromPage } from '../../lib/checkout/browser/qualify.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/qualifications',
    caller: 'client',
    scope: 'client_qualifications',
    summary: 'Find what a customer could use on the cart of a page',
    note:
      'As `POST /v1/qualifications`, but for orders that are stored, and without rules and standalone codes. The codes that a customer holds are shown only ' +
      'where the project says so: `client.wallet`.',
    body: qualificationOfPage,
    answers: 'A page of what qualifies, each with what it would do to the order.',
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
  (call) => qualifyFromPage(call, call.body),
);
