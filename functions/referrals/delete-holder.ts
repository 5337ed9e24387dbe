import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeHolder } from '../../lib/loyalty/referrals/remove-holder.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/referrals/members/{memberId}/holders/{holderId}',
    scope: 'referrals',
    summary: 'Take a referral code from a referee',
    params: { memberId: 'The code, or its id.' },
    answers: 'Nothing: the customer has the code no more.',
    reply: empty,
    errors: ['not_found', 'forbidden'],
    example: { params: { memberId: 'MATE-INGRID', holderId: 'rh_0mlupxz40000uF3wqZ8yRk2bT7nVxC1sDg' } },
  },
  (call) => removeHolder(call, call.params, call.params.holderId),
);
