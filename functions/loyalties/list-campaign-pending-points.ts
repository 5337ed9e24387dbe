import { listCampaignPendingPoints, pendingPointsListed } from '#engine/loyalty/list-pending-points.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/pending-points',
    scope: 'loyalties',
    summary: 'List the pending points of a loyalty campaign',
    note: 'Lists pending points that are neither activated nor cancelled. The list lags by less than a second.',
    query: pendingPointsListed.query,
    answers: 'A page of the pending points, the newest first unless `order` says otherwise.',
    reply: pendingPointsListed.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listCampaignPendingPoints(call, call.params.campaignId, call.query),
);
