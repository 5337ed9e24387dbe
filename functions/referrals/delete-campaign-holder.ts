import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { removeHolder } from '../../lib/loyalty/referrals/remove-holder.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/referrals/{campaignId}/members/{memberId}/holders/{holderId}',
    scope: 'referrals',
    summary: 'Remove a code of a referral programme from a referee',
    params: { campaignId: 'Name or id of the campaign.', memberId: 'Code or id of the voucher.' },
    answers: 'The customer no longer has the code. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'forbidden'],
    example: {
      params: { campaignId: 'camp_mate', memberId: 'MATE-INGRID', holderId: 'rh_0mlupxz41000hJ6vLq2pYw9kB3mTzN5xEc' },
    },
  },
  (call) => removeHolder(call, call.params, call.params.holderId),
);
