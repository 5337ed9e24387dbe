import {
  examinationBody,
  examinedVouchers,
  examineVouchers,
  voucherExaminationQuery,
} from '../../lib/checkout/qualifications/examine.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/qualification',
    scope: 'vouchers',
    summary: 'Find standalone codes for a cart',
    note: 'Of the 50 newest codes without a campaign that nobody holds, those that qualify. `POST /v1/qualifications` finds more.',
    query: voucherExaminationQuery,
    body: examinationBody,
    answers: 'The codes that qualify, each by itself.',
    reply: examinedVouchers,
    table: 'read',
    errors: ['not_found', 'duplicate_found'],
    example: { body: { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] } } },
  },
  (call) => examineVouchers(call, call.body, call.query),
);
