import { operation } from '../../lib/http/operation.ts';
import {
  adjustMemberBalance,
  adjustMemberBalanceBody,
  memberBalanceErrors,
} from '../../lib/loyalty/balances/adjust-member-balance.ts';
import { memberBalance } from '../../lib/loyalty/balances/balance.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/balance',
    scope: 'loyalties',
    summary: 'Adjust the points of a member by the card alone',
    note: 'Of a card that somebody holds, also one that can not be used. Without an `Idempotency-Key` a request that is sent again is carried out again.',
    body: adjustMemberBalanceBody,
    answers: 'The balance after it.',
    reply: memberBalance,
    errors: memberBalanceErrors,
    example: {
      params: { memberId: 'CREW-INGRID' },
      body: { points: 50, expiration_type: 'NON_EXPIRING', reason: 'apology' },
    },
  },
  (call) => adjustMemberBalance(call, call.params, call.body),
);
