import { holdersListed, listHolders } from '#engine/loyalty/referrals/list-holders.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/referrals/members/{memberId}/holders',
    scope: 'referrals',
    summary: 'List the holders of a referral code',
    note: 'Returns the last holder first unless `order` says otherwise. The referrer, who shares the code, is included.',
    params: { memberId: 'Code or id of the voucher.' },
    query: holdersListed.query,
    answers: 'A page of the holders.',
    reply: holdersListed.reply,
    errors: ['not_found'],
    example: { params: { memberId: 'MATE-INGRID' }, query: 'filters[holder_role][conditions][$is]=REFEREE' },
  },
  (call) => listHolders(call, call.params, call.query),
);
