import * as v from 'valibot';
import { createCampaignBody, updateCampaignBody } from '../campaigns/campaign-body.ts';
import { campaign } from '../campaigns/campaign-reply.ts';
import { text } from '../schema.ts';
import type { Routes } from './route.ts';

/** An id or a name. */
const params = v.object({ campaignId: text });
const reply = { kind: 'json', status: 200, schema: campaign } as const;

export const campaignRoutes = {
  'create-campaign': {
    method: 'POST',
    path: '/v1/campaigns',
    summary: 'Create a campaign',
    authentication: 'server',
    scope: 'campaigns',
    access: 'write',
    body: { format: 'json', schema: createCampaignBody },
    reply,
    errors: ['invalid_code_config', 'not_found', 'duplicate_found'],
  },
  'get-campaign': {
    method: 'GET',
    path: '/v1/campaigns/{campaignId}',
    summary: 'Get a campaign',
    authentication: 'server',
    scope: 'campaigns',
    access: 'read',
    params,
    reply,
    errors: ['not_found'],
  },
  'update-campaign': {
    method: 'PUT',
    path: '/v1/campaigns/{campaignId}',
    summary: 'Update a campaign',
    authentication: 'server',
    scope: 'campaigns',
    access: 'write',
    params,
    body: { format: 'json', schema: updateCampaignBody },
    reply,
    errors: ['invalid_campaign', 'not_found'],
  },
} as const satisfies Routes;
