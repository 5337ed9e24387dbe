import { createCampaign } from '../lib/campaigns/create-campaign.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { campaignRoutes } from '../lib/routes/campaigns.ts';

export const handler = endpoint(campaignRoutes, 'create-campaign', (call) => createCampaign(call, call.body));
