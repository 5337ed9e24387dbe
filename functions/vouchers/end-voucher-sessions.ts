import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { endSessions } from '../../lib/vouchers/end-session.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/vouchers/{code}/sessions',
    scope: 'vouchers',
    summary: 'End all sessions that lock a voucher',
    note: 'It ends what sessions of servers and of pages keep of its uses, credits or points, and of limits that rules count for it alone.',
    answers: 'Nobody keeps anything of the voucher: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => endSessions(call, call.params.code),
);
