import { rollBackAll } from '#engine/checkout/rollbacks/rollback.ts';
import { readAskedRollback, rollingBack, stackedRollback } from '#engine/checkout/rollbacks/rollback-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions/{redemptionId}/rollbacks',
    scope: 'redemptions',
    summary: 'Roll back redemptions of one request',
    note:
      'Accepts the id of the parent and rolls back all of its redemptions, or none. It also accepts a redemption ' +
      'without a parent.',
    ...rollingBack,
    answers: "The rollbacks, the parent's rollback and the order.",
    reply: stackedRollback,
    example: { params: { redemptionId: 'r_of_several' }, body: { reason: 'returned' } },
  },
  (call) => rollBackAll(call, readAskedRollback(call.params.redemptionId, call.body, call.query)),
);
