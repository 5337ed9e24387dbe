import { deleteClose } from '#addons/reports/closes/read-closes.ts';
import { removesFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/reports/closes/{closeId}',
    scope: 'reports',
    summary: 'Delete the last close of a loyalty campaign',
    note: 'Deletes the close and its files. The campaign can then be closed again from the same time on.',
    files: removesFiles,
    answers: 'The close is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'points_close_followed'],
    example: { params: { closeId: 'close_no_longer_needed' } },
  },
  (call) => deleteClose(call, call.params.closeId),
);
