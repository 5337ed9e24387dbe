import { endVoucherSessions } from '#engine/vouchers/end-sessions.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/vouchers/{code}/sessions',
    scope: 'vouchers',
    summary: 'End all sessions that lock a voucher',
    note:
      'Releases the uses, credits or points of the voucher that sessions of servers and browsers lock. Rule limits ' +
      'that count only this voucher are also released.',
    answers: 'No session holds anything of the voucher. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => endVoucherSessions(call, call.params.code),
);
