import { operation } from '#kernel/http/operation.ts';
import { binListed, listBin } from '#kernel/kit/bin/list-bin.ts';

export const handler = operation(
  {
    route: 'GET /v1/trash-bin',
    scope: 'trash-bin',
    summary: 'List the entries of the bin',
    note:
      'Lists objects that were deleted without `force`. Their names, codes and source ids stay reserved. `total` ' +
      'counts the page.',
    query: binListed.query,
    answers: 'A page of the entries.',
    reply: binListed.reply,
    example: { query: 'limit=2' },
  },
  (call) => listBin(call, call.query),
);
