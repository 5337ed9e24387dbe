import { addVoucherBody, addVoucherWithCode } from '#engine/vouchers/add-vouchers.ts';
import { partialVoucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers/{code}',
    scope: 'campaigns',
    summary: 'Add a voucher with a code to a campaign',
    note: 'The body is optional.',
    body: addVoucherBody,
    answers: 'The voucher.',
    reply: partialVoucher,
    errors: ['invalid_campaign', 'invalid_voucher', 'not_found', 'duplicate_found'],
    example: { params: { campaignId: 'Early tide', code: 'EARLY-NAMED' }, body: { metadata: { till: 3 } } },
  },
  (call) => addVoucherWithCode(call, call.params.campaignId, call.params.code, call.body),
);
