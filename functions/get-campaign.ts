import { getCampaign } from '../lib/campaigns/get-campaign.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { campaignRoutes } from '../lib/routes/campaigns.ts';

export const handler = endpoint(campaignRoutes, 'get-campaign', (call) => getCampaign(call, call.params.campaignId));
