import { addVouchers, addVouchersBody, addVouchersQuery } from '#engine/vouchers/add-vouchers.ts';
import { partialVoucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';
import { orAccepted } from '#kernel/http/route.ts';
import { startedAction } from '#kernel/kit/bulk/job.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/vouchers',
    scope: 'campaigns',
    summary: 'Add vouchers to a campaign',
    note:
      'A single voucher is in the reply. Several vouchers are generated after the reply, like the first codes of ' +
      'a campaign. Codes can be added many times, also in parallel. The body is optional.',
    query: addVouchersQuery,
    body: addVouchersBody,
    answers: 'The voucher, if a single voucher was added.',
    reply: orAccepted(partialVoucher, startedAction),
    errors: ['invalid_campaign', 'invalid_code_config', 'invalid_voucher', 'not_found', 'duplicate_found'],
    example: { params: { campaignId: 'Early tide' }, body: { code: 'EARLY-ADDED', metadata: { till: 3 } } },
  },
  (call) => addVouchers(call, call.params.campaignId, call.query, call.body),
);
