import { earningRule } from '#engine/loyalty/earning/public-rule.ts';
import { listEarningRules, rulesQuery } from '#engine/loyalty/programmes/read-rules.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/earning-rules',
    scope: 'loyalties',
    summary: 'List the earning rules of a loyalty campaign',
    note: 'The list includes rules that are disabled.',
    query: rulesQuery,
    answers: 'A page of the rules, the oldest first unless `order` says otherwise.',
    reply: listEnvelope(earningRule),
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listEarningRules(call, call.params.campaignId, call.query),
);
