import { showsFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';
import { exportsListed, listExports } from '#kernel/kit/exports/read-exports.ts';

export const handler = operation(
  {
    route: 'GET /v1/exports',
    scope: 'exports',
    summary: 'List exports',
    note: 'Returns the newest first unless `order` says otherwise.',
    query: exportsListed.query,
    files: showsFiles,
    answers: 'A page of the exports.',
    reply: exportsListed.reply,
    example: { query: 'limit=5&order=status' },
  },
  (call) => listExports(call, call.query),
);
