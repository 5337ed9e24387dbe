import { endVoucherSession } from '#engine/vouchers/end-sessions.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/vouchers/{code}/sessions/{sessionKey}',
    scope: 'vouchers',
    summary: 'End a session that locks a voucher',
    note: 'The session keeps its locks on other vouchers.',
    answers: "The session's lock is released. The reply has no body.",
    reply: empty,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-ASLEEP', sessionKey: 'ssn_of_the_example' } },
  },
  (call) => endVoucherSession(call, call.params.code, call.params.sessionKey),
);
