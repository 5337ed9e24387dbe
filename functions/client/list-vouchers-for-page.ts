import { listWalletForBrowser, wallet, walletQuery } from '#engine/checkout/browser/list-wallet.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/vouchers',
    caller: 'client',
    scope: 'client_vouchers',
    clientSwitch: 'wallet',
    summary: 'List the vouchers that a customer can use, for a browser',
    note:
      'The project must switch `client.wallet` on, because anyone who guesses a source id gets the codes of that ' +
      "customer. The list looks at the customer's 500 newest vouchers. An unknown customer holds nothing.",
    query: walletQuery,
    answers:
      'A page of the vouchers that the customer owns and can use now, the newest first. Rules, holder and ' +
      'metadata are left out.',
    reply: wallet,
    example: { query: 'customer=crm-101' },
  },
  (call) => listWalletForBrowser(call, call.query),
);
