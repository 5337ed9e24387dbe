import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeHolder } from '../../lib/loyalty/referrals/remove-holder.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/referrals/{campaignId}/members/{memberId}/holders/{holderId}',
    scope: 'referrals',
    summary: 'Take a code of a referral programme from a referee',
    params: { campaignId: 'Its name or id.', memberId: 'The code, or its id.' },
    answers: 'Nothing: the customer has the code no more.',
    reply: empty,
    errors: ['not_found', 'forbidden'],
    example: {
      params: { campaignId: 'camp_mate', memberId: 'MATE-INGRID', holderId: 'rh_0mlupxz41000hJ6vLq2pYw9kB3mTzN5xEc' },
    },
  },
  (call) => removeHolder(call, call.params, call.params.holderId),
);
