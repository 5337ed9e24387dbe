import { operation } from '../../lib/http/operation.ts';
import { rollback } from '../../lib/redemptions/present-redemption.ts';
import { rollBack } from '../../lib/redemptions/rollback.ts';
import { askedRollback, rollbackBody, rollbackQuery } from '../../lib/redemptions/rollback-body.ts';

export const handler = operation(
  {
    route: 'POST /v1/redemptions/{redemptionId}/rollback',
    scope: 'redemptions',
    summary: 'Roll back a redemption',
    note:
      'Of one redemption that stands by itself, at most 3 months old, once: uses, credits and points come back. The order is canceled, ' +
      'unless the stacking rules say WITHOUT_ORDER. What is refused is listed as a rollback that failed, which the error names.',
    query: rollbackQuery,
    body: rollbackBody,
    answers: 'The rollback.',
    reply: rollback,
    errors: [
      'not_found',
      'already_rolled_back',
      'invalid_redemption',
      'invalid_redemption_parent',
      'invalid_order',
      'invalid_customer',
    ],
    example: { params: { redemptionId: 'r_of_the_example' }, body: { reason: 'returned' } },
  },
  (call) => rollBack(call, askedRollback(call.params.redemptionId, call.body, call.query)),
);
