import { rollBackAll } from '../../lib/checkout/rollbacks/rollback.ts';
import { askedRollback, rollingBack, stackedRollback } from '../../lib/checkout/rollbacks/rollback-body.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions/{redemptionId}/rollbacks',
    scope: 'redemptions',
    summary: 'Roll back redemptions that were made at once',
    note: 'Named by their parent: all of them or none. One that has no parent may be rolled back so, too.',
    ...rollingBack,
    answers: 'The rollbacks, with that of the parent and the order.',
    reply: stackedRollback,
    example: { params: { redemptionId: 'r_of_several' }, body: { reason: 'returned' } },
  },
  (call) => rollBackAll(call, askedRollback(call.params.redemptionId, call.body, call.query)),
);
