import { removesFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';
import { deleteExport } from '#kernel/kit/exports/read-exports.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/exports/{exportId}',
    scope: 'exports',
    summary: 'Delete an export',
    note: 'Deletes the export and its file. An export that is not finished yet is abandoned.',
    files: removesFiles,
    answers: 'The export is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { exportId: 'exp_no_longer_needed' } },
  },
  (call) => deleteExport(call, call.params.exportId),
);
