import { assignedHolders, assignHolders, assignHoldersBody } from '#engine/loyalty/referrals/assign-holders.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/referrals/members/{memberId}/holders',
    scope: 'referrals',
    summary: 'Assign a referral code to customers',
    note:
      'The customers become referees of the code. All are checked before the first is assigned. Each transaction ' +
      'assigns twelve.',
    params: { memberId: 'Code or id of the voucher.' },
    body: assignHoldersBody,
    answers: 'The assignments, in the order of the customers.',
    reply: assignedHolders,
    errors: ['not_found', 'not_published', 'duplicate_found', 'holder_assignement_duplication'],
    example: {
      params: { memberId: 'MATE-INGRID' },
      body: { holders: [{ source_id: 'web-201' }], metadata: { till: 3 } },
    },
  },
  (call) => assignHolders(call, call.params, call.body),
);
