import * as v from 'valibot';
import { deleteVoucher } from '#engine/vouchers/delete-voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { operation } from '#kernel/http/operation.ts';
import { sentBoolean } from '#kernel/http/page.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Delete a voucher',
    note:
      'Also deletes the ledger, and removes the voucher from its holder. Without `force` the voucher moves to the ' +
      'bin, and its code stays reserved.',
    query: v.object({
      force: described(
        v.optional(sentBoolean),
        'Says whether the voucher is deleted permanently, so that its code is free.',
      ),
    }),
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-CAPTAIN' }, query: 'force=true' },
  },
  (call) => deleteVoucher(call, call.params.code, call.query),
);
