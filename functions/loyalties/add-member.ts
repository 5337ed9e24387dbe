import { addMember, addMemberBody } from '#engine/publishing/add-member.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/members',
    scope: 'loyalties',
    summary: 'Add a member to a loyalty campaign',
    note:
      'Publishes the named card or a free card. An AUTO_UPDATE programme creates a card if none is free. If the ' +
      'customer is already a member, the reply has the same card. A repeated `source_id` for the same customer ' +
      'returns the first card.',
    body: addMemberBody,
    answers: 'The card of the member.',
    reply: voucher,
    errors: [
      'not_found',
      'duplicate_found',
      'voucher_already_published',
      'voucher_cannot_be_published',
      'no_voucher_suitable_for_publication',
      'invalid_code_config',
      'duplicate_source_id',
    ],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: { customer: { source_id: 'crm-310', name: 'Una' }, source_id: 'desk-1', metadata: { desk: 1 } },
    },
  },
  (call) => addMember(call, call.params.campaignId, call.body),
);
