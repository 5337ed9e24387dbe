import { operation } from '../../lib/http/operation.ts';
import { assignedHolders, assignHolders, assignHoldersBody } from '../../lib/loyalty/referrals/assign-holders.ts';

export const handler = operation(
  {
    route: 'POST /v1/referrals/{campaignId}/members/{memberId}/holders',
    scope: 'referrals',
    summary: 'Assign a code of a referral programme to customers',
    note:
      'The customers become referees of the code. All are checked before the first is assigned. Each transaction ' +
      'assigns twelve.',
    params: { campaignId: 'Name or id of the campaign.', memberId: 'Code or id of the voucher.' },
    body: assignHoldersBody,
    answers: 'The assignments, in the order of the customers.',
    reply: assignedHolders,
    errors: ['not_found', 'not_published', 'duplicate_found', 'holder_assignement_duplication'],
    example: {
      params: { campaignId: 'camp_mate', memberId: 'MATE-INGRID' },
      body: { holders: [{ source_id: 'web-202' }], metadata: { till: 3 } },
    },
  },
  (call) => assignHolders(call, call.params, call.body),
);
