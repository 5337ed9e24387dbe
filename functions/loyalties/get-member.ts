import { getMember } from '#engine/loyalty/members/get-member.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}',
    scope: 'loyalties',
    summary: 'Get a member by card code or id',
    note: 'The reply is a voucher with its balance in `loyalty_card`.',
    answers: 'The card.',
    reply: voucher,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => getMember(call, call.params),
);
