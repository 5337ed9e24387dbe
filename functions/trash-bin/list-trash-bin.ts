import { operation } from '../../lib/http/operation.ts';
import { binList, listBin, listBinQuery } from '../../lib/kit/bin/list-bin.ts';

export const handler = operation(
  {
    route: 'GET /v1/trash-bin',
    scope: 'trash-bin',
    summary: 'List what is in the bin',
    note: 'What was deleted without `force`: it is gone, but its name, code or source id is taken. `total` counts the page.',
    query: listBinQuery,
    answers: 'A page of the entries.',
    reply: binList,
    example: { query: 'limit=2' },
  },
  (call) => listBin(call, call.query),
);
