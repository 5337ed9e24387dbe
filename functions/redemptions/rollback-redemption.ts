import { rollback } from '../../lib/checkout/redemptions/present-redemption.ts';
import { rollBack } from '../../lib/checkout/rollbacks/rollback.ts';
import { askedRollback, rollingBack } from '../../lib/checkout/rollbacks/rollback-body.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions/{redemptionId}/rollback',
    scope: 'redemptions',
    summary: 'Roll back a redemption',
    note:
      'Of one redemption that stands by itself, at most 3 months old, once: uses, credits and points come back. The order is canceled, ' +
      'unless the stacking rules say WITHOUT_ORDER. What is refused is listed as a rollback that failed, which the error names.',
    ...rollingBack,
    answers: 'The rollback.',
    reply: rollback,
    example: { params: { redemptionId: 'r_of_the_example' }, body: { reason: 'returned' } },
  },
  (call) => rollBack(call, askedRollback(call.params.redemptionId, call.body, call.query)),
);
