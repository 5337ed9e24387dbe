import { operation } from '../../lib/http/operation.ts';
import { holderList, listHolders, listHoldersQuery } from '../../lib/loyalty/referrals/list-holders.ts';

export const handler = operation(
  {
    route: 'GET /v1/referrals/{campaignId}/members/{memberId}/holders',
    scope: 'referrals',
    summary: 'List who has a code of a referral programme',
    note: 'The last holder first, unless `order` says otherwise; with the referrer, who shares it.',
    params: { campaignId: 'Its name or id.', memberId: 'The code, or its id.' },
    query: listHoldersQuery,
    answers: 'A page of the holders.',
    reply: holderList,
    errors: ['not_found'],
    example: {
      params: { campaignId: 'camp_mate', memberId: 'MATE-INGRID' },
      query: 'filters[holder_role][conditions][$is]=REFEREE',
    },
  },
  (call) => listHolders(call, call.params, call.query),
);
