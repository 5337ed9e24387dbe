import { operation } from '../../lib/http/operation.ts';
import { adjustBalance } from '../../lib/loyalty/balances/adjust-balance.ts';
import { adjustBalanceBody, voucherBalance } from '../../lib/loyalty/balances/balance.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/balance',
    scope: 'vouchers',
    summary: 'Adjust the balance of a gift card or loyalty card',
    note:
      '`amount` is added: minor currency units, or points of a card that somebody holds; below 0 it is taken away, and leaves 0 or more. ' +
      'A `source_id` changes the card once; the same again with the same amount has the same reply.',
    body: adjustBalanceBody,
    answers: 'The balance after it.',
    reply: voucherBalance,
    errors: [
      'not_found',
      'invalid_voucher',
      'not_published',
      'gift_amount_exceeded',
      'loyalty_card_points_exceeded',
      'invalid_amount',
      'duplicate_source_id',
    ],
    example: { params: { code: 'CREW-INGRID' }, body: { amount: 50, reason: 'apology' } },
  },
  (call) => adjustBalance(call, call.params.code, call.body),
);
