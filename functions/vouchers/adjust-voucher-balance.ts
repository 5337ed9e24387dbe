import { adjustBalance } from '#engine/loyalty/balances/adjust-balance.ts';
import { adjustBalanceBody, voucherBalance } from '#engine/loyalty/balances/balance.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/balance',
    scope: 'vouchers',
    summary: 'Adjust the balance of a gift card or loyalty card',
    note:
      'Adds `amount`, in minor currency units or in points of a card with a holder. A negative `amount` is ' +
      'subtracted, and must leave 0 or more. A `source_id` changes the card once. The same `source_id` and amount ' +
      'return the same reply.',
    body: adjustBalanceBody,
    answers: 'The balance after the adjustment.',
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
