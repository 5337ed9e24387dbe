import { handler as deleteHolder } from './delete-holder.ts';

export const handler = deleteHolder.twin({
  route: 'DELETE /v1/referrals/{campaignId}/members/{memberId}/holders/{holderId}',
  summary: 'Remove a code of a referral programme from a referee',
  params: { campaignId: 'Name or id of the campaign.' },
  example: { params: { campaignId: 'camp_mate', holderId: 'rh_0mlupxz41000hJ6vLq2pYw9kB3mTzN5xEc' } },
});
