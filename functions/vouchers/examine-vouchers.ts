import {
  examinationBody,
  examinedVouchers,
  examineVouchers,
  voucherExaminationQuery,
} from '#engine/checkout/qualifications/examine.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/qualification',
    scope: 'vouchers',
    summary: 'Find standalone codes for a cart',
    note:
      'Looks at the 50 newest codes without a campaign and a holder, and returns the codes that qualify. `POST ' +
      '/v1/qualifications` finds more.',
    query: voucherExaminationQuery,
    body: examinationBody,
    answers: 'The codes that qualify, each judged alone.',
    reply: examinedVouchers,
    table: 'read',
    errors: ['not_found', 'duplicate_found'],
    example: { body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } } },
  },
  (call) => examineVouchers(call, call.body, call.query),
);
