import * as v from 'valibot';
import { tierList, tierQuery } from '../promotions/list-tiers.ts';
import { promotionTier } from '../promotions/promotion-tier.ts';
import { updateTierBody } from '../promotions/tier-body.ts';
import { text } from '../schema.ts';
import type { Routes } from './route.ts';

const params = v.object({ promotionTierId: text });
const reply = { kind: 'json', status: 200, schema: promotionTier } as const;
const listReply = { kind: 'json', status: 200, schema: tierList } as const;

export const promotionRoutes = {
  /**
   * Costs about a page, whatever the number of tiers. With `is_available` it reads every tier of the project, 50 a call
   * and at least one read unit each, and may take longer than a request beyond a few ten thousand.
   */
  'list-promotion-tiers': {
    method: 'GET',
    path: '/v1/promotions/tiers',
    summary: 'List the promotion tiers of the project',
    authentication: 'server',
    scope: 'promotions',
    access: 'read',
    query: tierQuery,
    reply: listReply,
    errors: [],
  },
  /** As above; with `is_available` it reads every tier of the campaign. */
  'list-campaign-promotion-tiers': {
    method: 'GET',
    path: '/v1/promotions/{campaignId}/tiers',
    summary: 'List the promotion tiers of a campaign',
    authentication: 'server',
    scope: 'promotions',
    access: 'read',
    /** An id or a name. */
    params: v.object({ campaignId: text }),
    query: tierQuery,
    reply: listReply,
    errors: ['not_found'],
  },
  'get-promotion-tier': {
    method: 'GET',
    path: '/v1/promotions/tiers/{promotionTierId}',
    summary: 'Get a promotion tier',
    authentication: 'server',
    scope: 'promotions',
    access: 'read',
    params,
    reply,
    errors: ['not_found'],
  },
  'update-promotion-tier': {
    method: 'PUT',
    path: '/v1/promotions/tiers/{promotionTierId}',
    summary: 'Update a promotion tier',
    authentication: 'server',
    scope: 'promotions',
    access: 'write',
    params,
    body: { format: 'json', schema: updateTierBody },
    reply,
    errors: ['not_found'],
  },
} as const satisfies Routes;
