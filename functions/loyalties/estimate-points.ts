import { estimateBody, estimatePoints, pointsEstimate } from '#engine/checkout/orders/estimate-points.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/qualifications',
    scope: 'loyalties',
    summary: 'Estimate the points of an order',
    note:
      'Estimates what the rules for paid orders would give the customer now, in their tier. The estimate includes ' +
      'points that start as pending. Nothing is written. A paid order earns no more points.',
    body: estimateBody,
    answers: 'The programme, and the points that the customer would earn.',
    reply: pointsEstimate,
    table: 'read',
    errors: [
      'not_found',
      'duplicate_found',
      'campaign_not_active',
      'loyalty_card_not_active',
      'campaign_not_allow_auto_join',
      'invalid_amount',
    ],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: { customer: { source_id: 'ingrid' }, order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } },
    },
  },
  (call) => estimatePoints(call, call.params.campaignId, call.body),
);
