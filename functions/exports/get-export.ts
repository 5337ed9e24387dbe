import { showsFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';
import { exportReply } from '#kernel/kit/exports/export.ts';
import { getExport } from '#kernel/kit/exports/read-exports.ts';

export const handler = operation(
  {
    route: 'GET /v1/exports/{exportId}',
    scope: 'exports',
    summary: 'Get an export',
    note:
      'Once the export is DONE, `result.url` gives the file without credentials, for at most a day. Each reply has ' +
      'a new address.',
    files: showsFiles,
    answers: 'The export.',
    reply: exportReply,
    errors: ['not_found'],
    example: { params: { exportId: 'exp_of_the_example' } },
  },
  (call) => getExport(call, call.params.exportId),
);
