import { rollback } from '#engine/checkout/redemptions/present-redemption.ts';
import { rollBack } from '#engine/checkout/rollbacks/rollback.ts';
import { readAskedRollback, rollingBack } from '#engine/checkout/rollbacks/rollback-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions/{redemptionId}/rollback',
    scope: 'redemptions',
    summary: 'Roll back a redemption',
    note:
      'Rolls back one redemption without a parent, once, within 3 months. It gives back uses, credits and points. ' +
      'The order is canceled unless the stacking rules say WITHOUT_ORDER. A refused rollback is listed as failed, ' +
      'and the error names it.',
    ...rollingBack,
    answers: 'The rollback.',
    reply: rollback,
    example: { params: { redemptionId: 'r_of_the_example' }, body: { reason: 'returned' } },
  },
  (call) => rollBack(call, readAskedRollback(call.params.redemptionId, call.body, call.query)),
);
