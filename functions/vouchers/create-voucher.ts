import { createVoucher } from '#engine/vouchers/create-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { createVoucherBody } from '#engine/vouchers/voucher-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers',
    scope: 'vouchers',
    summary: 'Create a voucher',
    note:
      'Uses the `code` that is sent, or a drawn code. The voucher inherits from its campaign what the body does not ' +
      'set, also the amount of a gift voucher and the points of a card. A loyalty card needs a campaign.',
    body: createVoucherBody,
    answers: 'The voucher.',
    reply: voucher,
    errors: ['not_found', 'duplicate_found', 'invalid_voucher', 'invalid_campaign', 'invalid_code_config'],
    example: {
      body: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 20, effect: 'APPLY_TO_ORDER' },
        code_config: { prefix: 'QUAY-', length: 6 },
        redemption: { quantity: 1 },
        metadata: { channel: 'till' },
      },
    },
  },
  (call) => createVoucher(call, call.body),
);
