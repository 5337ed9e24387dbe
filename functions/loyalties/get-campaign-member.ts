import { operation } from '../../lib/http/operation.ts';
import { getMember } from '../../lib/loyalty/members/get-member.ts';
import { voucher } from '../../lib/vouchers/voucher.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/members/{memberId}',
    scope: 'loyalties',
    summary: 'Get a member of a loyalty campaign',
    answers: 'The card.',
    reply: voucher,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', memberId: 'CREW-INGRID' } },
  },
  (call) => getMember(call, call.params),
);
