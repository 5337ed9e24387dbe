import { createEstimate, estimateReply, liabilityEstimateBody } from '#addons/reports/closes/estimates.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/reports/liability-estimates',
    scope: 'reports',
    summary: 'Estimate how many points of a loyalty campaign are redeemed',
    note:
      'Closes use the last estimate that is valid at the end of a month. An estimate never changes. A newer one replaces ' +
      'it in later closes, and moves revenue of earlier redemptions.',
    body: liabilityEstimateBody,
    answers: 'The estimate.',
    reply: estimateReply,
    errors: ['not_found'],
    example: {
      body: {
        campaign_id: 'Harbour Crew',
        valid_from: '2026-01-01',
        expected_per_10000: 9_700,
        point_price: { amount: 500, points: 1_000 },
        author: 'Ingrid Dahl, finance',
        note: 'Redemptions of the last three years.',
      },
    },
  },
  (call) => createEstimate(call, call.body),
);
