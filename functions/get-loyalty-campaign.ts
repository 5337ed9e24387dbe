import { endpoint } from '../lib/http/endpoint.ts';
import { getLoyaltyCampaign } from '../lib/loyalty/get-loyalty-campaign.ts';
import { loyaltyRoutes } from '../lib/routes/loyalties.ts';

export const handler = endpoint(loyaltyRoutes, 'get-loyalty-campaign', (call) =>
  getLoyaltyCampaign(call, call.params.campaignId),
);
