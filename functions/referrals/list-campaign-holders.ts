import { handler as listHolders } from './list-holders.ts';

export const handler = listHolders.twin({
  route: 'GET /v1/referrals/{campaignId}/members/{memberId}/holders',
  summary: 'List the holders of a code of a referral programme',
  params: { campaignId: 'Name or id of the campaign.' },
  example: { params: { campaignId: 'camp_mate' } },
});
