import { listWalletForPage, wallet, walletQuery } from '../../lib/checkout/browser/list-wallet.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/vouchers',
    caller: 'client',
    scope: 'client_vouchers',
    clientSwitch: 'wallet',
    summary: 'List the vouchers that a customer can use, for a page',
    note:
      'Off unless the project switches `client.wallet` on: whoever guesses a source id gets the codes of that customer. Looks at the 500 vouchers that ' +
      'came last. A customer who is unknown holds nothing.',
    query: walletQuery,
    answers:
      'A page of the vouchers that the customer owns and can use now, the newest first, without rules, holder and metadata.',
    reply: wallet,
    example: { query: 'customer=crm-101' },
  },
  (call) => listWalletForPage(call, call.query),
);
