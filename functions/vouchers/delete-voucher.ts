import * as v from 'valibot';
import { described } from '../../lib/core/documented.ts';
import { operation } from '../../lib/http/operation.ts';
import { trueOrFalse } from '../../lib/http/page.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteVoucher } from '../../lib/vouchers/delete-voucher.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Delete a voucher',
    note: 'Its ledger goes with it, and its holder has it no more. Without `force` it is in the bin, and its code stays taken.',
    query: v.object({ force: described(v.optional(trueOrFalse), 'Whether it is gone for good, and its code free.') }),
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-CAPTAIN' }, query: 'force=true' },
  },
  (call) => deleteVoucher(call, call.params.code, call.query),
);
