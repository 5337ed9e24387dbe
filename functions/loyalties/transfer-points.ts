import { transferBody } from '#engine/loyalty/transfer-body.ts';
import { transferPoints } from '#engine/loyalty/transfer-points.ts';
import { voucherRefusalKeys } from '#engine/rules/validity/refusals.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/members/{memberId}/transfers',
    scope: 'loyalties',
    summary: 'Transfer loyalty points between cards',
    note:
      'Transfers all entries or none. A `source_id` works once for its source card. If it is sent again with the ' +
      'same points and destination, nothing moves and the reply is the current card.',
    body: transferBody,
    answers: 'The card of the path after the transfer. It has got the points.',
    reply: voucher,
    errors: [...voucherRefusalKeys, 'loyalty_card_points_exceeded', 'duplicate_source_id'],
    example: {
      params: { campaignId: 'Harbour Crew', memberId: 'CREW-OLUF' },
      body: [{ code: 'CREW-INGRID', points: 20, source_id: 'till-7-0001', reason: 'A present' }],
    },
  },
  (call) => transferPoints(call, call.params.campaignId, call.params.memberId, call.body),
);
