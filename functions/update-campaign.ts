import { updateCampaign } from '../lib/campaigns/update-campaign.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { campaignRoutes } from '../lib/routes/campaigns.ts';

export const handler = endpoint(campaignRoutes, 'update-campaign', (call) =>
  updateCampaign(call, call.params.campaignId, call.body),
);
