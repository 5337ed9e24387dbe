import * as v from 'valibot';
import { listVoucherPublications, publicationsListed } from '#engine/publishing/list-publications.ts';
import { operation } from '#kernel/http/operation.ts';
import { pageQuery } from '#kernel/http/page.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/publications',
    scope: 'vouchers',
    summary: 'List the publications of a voucher',
    note: 'Returns the list that `publish.url` of a voucher links to, the newest first.',
    params: { code: 'Code or id of the voucher.' },
    query: v.object(pageQuery),
    answers: 'A page of the publications.',
    reply: publicationsListed.reply,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-HELLO' } },
  },
  (call) => listVoucherPublications(call, call.params.code, call.query),
);
