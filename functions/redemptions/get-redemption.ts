import { getRedemption } from '#engine/checkout/redemptions/get-redemption.ts';
import { redemptionOrRollback } from '#engine/checkout/redemptions/present-redemption.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/redemptions/{redemptionId}',
    scope: 'redemptions',
    summary: 'Get a redemption',
    note: 'Gets a redemption or a rollback, also one that failed.',
    answers: 'The redemption or rollback.',
    reply: redemptionOrRollback,
    errors: ['not_found'],
    example: { params: { redemptionId: 'r_of_the_example' } },
  },
  (call) => getRedemption(call, call.params.redemptionId),
);
