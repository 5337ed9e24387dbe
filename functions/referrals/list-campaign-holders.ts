import { operation } from '../../lib/http/operation.ts';
import { holderList, listHolders, listHoldersQuery } from '../../lib/loyalty/referrals/list-holders.ts';

export const handler = operation(
  {
    route: 'GET /v1/referrals/{campaignId}/members/{memberId}/holders',
    scope: 'referrals',
    summary: 'List the holders of a code of a referral programme',
    note: 'Returns the last holder first unless `order` says otherwise. The referrer, who shares the code, is included.',
    params: { campaignId: 'Name or id of the campaign.', memberId: 'Code or id of the voucher.' },
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
