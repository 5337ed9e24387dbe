import { estimatesQuery, estimatesReply, listEstimates } from '#addons/reports/closes/estimates.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/reports/liability-estimates',
    scope: 'reports',
    summary: 'List the estimates of redeemed points',
    note: 'Returns the newest first.',
    query: estimatesQuery,
    answers: 'A page of the estimates.',
    reply: estimatesReply,
    example: { query: 'limit=5' },
  },
  (call) => listEstimates(call, call.query),
);
