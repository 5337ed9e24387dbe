import {
  adjustMemberBalance,
  adjustMemberBalanceBody,
  memberBalanceErrors,
} from '#engine/loyalty/balances/adjust-member-balance.ts';
import { memberBalance } from '#engine/loyalty/balances/balance.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/balance',
    scope: 'loyalties',
    summary: 'Adjust the points of a member by card code or id',
    note:
      'The card must have a holder, but may be unusable. Without an `Idempotency-Key` a repeated request adjusts ' +
      'the points again.',
    body: adjustMemberBalanceBody,
    answers: 'The balance after the adjustment.',
    reply: memberBalance,
    errors: memberBalanceErrors,
    example: {
      params: { memberId: 'CREW-INGRID' },
      body: { points: 50, expiration_type: 'NON_EXPIRING', reason: 'apology' },
    },
  },
  (call) => adjustMemberBalance(call, call.params, call.body),
);
