import { removesFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteExport } from '../../lib/kit/exports/read-exports.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/exports/{exportId}',
    scope: 'exports',
    summary: 'Delete an export',
    note: 'With its file. One that is being made is not finished.',
    files: removesFiles,
    answers: 'Nothing: from here on the export is not found.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { exportId: 'exp_no_longer_needed' } },
  },
  (call) => deleteExport(call, call.params.exportId),
);
