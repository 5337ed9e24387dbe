import { removeHolder } from '#engine/loyalty/referrals/remove-holder.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/referrals/members/{memberId}/holders/{holderId}',
    scope: 'referrals',
    summary: 'Remove a referral code from a referee',
    note: 'Only a referee can be removed. The referrer of a code stays its holder.',
    params: { memberId: 'Code or id of the voucher.' },
    answers: 'The customer no longer has the code. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'forbidden'],
    example: { params: { memberId: 'MATE-INGRID', holderId: 'rh_0mlupxz40000uF3wqZ8yRk2bT7nVxC1sDg' } },
  },
  (call) => removeHolder(call, call.params, call.params.holderId),
);
