import { closesListed, listCloses } from '#addons/reports/closes/read-closes.ts';
import { showsFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/reports/closes',
    scope: 'reports',
    summary: 'List closes',
    note: 'Returns the newest first unless `order` says otherwise.',
    query: closesListed.query,
    files: showsFiles,
    answers: 'A page of the closes.',
    reply: closesListed.reply,
    example: { query: 'limit=5' },
  },
  (call) => listCloses(call, call.query),
);
