import { campaignSummary, summariseCampaign, summaryQuery } from '#engine/campaigns/summary.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/campaigns/{campaignId}/summary',
    scope: 'campaigns',
    summary: 'Summarise a campaign',
    note:
      'Counts from the first day to the last day (UTC), both included. Amounts are in minor currency units. The ' +
      'kind of the campaign decides which figures the summary has.',
    query: summaryQuery,
    answers: 'The campaign, and its figures.',
    reply: campaignSummary,
    errors: ['not_found'],
    example: { params: { campaignId: 'Early tide' }, query: 'start_date=2026-01-01&end_date=2026-12-31' },
  },
  (call) => summariseCampaign(call, call.params.campaignId, call.query),
);
