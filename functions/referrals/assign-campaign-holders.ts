import { handler as assignHolders } from './assign-holders.ts';

export const handler = assignHolders.twin({
  route: 'POST /v1/referrals/{campaignId}/members/{memberId}/holders',
  summary: 'Assign a code of a referral programme to customers',
  params: { campaignId: 'Name or id of the campaign.' },
  example: {
    params: { campaignId: 'camp_mate' },
    body: { holders: [{ source_id: 'web-202' }], metadata: { till: 3 } },
  },
});
