import { closeReply } from '#addons/reports/closes/close.ts';
import { getClose } from '#addons/reports/closes/read-closes.ts';
import { showsFiles } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/reports/closes/{closeId}',
    scope: 'reports',
    summary: 'Get a close',
    note:
      'Once the close is DONE, `months` has its figures. `result` then gives two CSV files without credentials, for at ' +
      'most a day: the statement, and lines for a journal. Each reply has new addresses. The files are deleted after 90 ' +
      'days, and the figures stay.',
    files: showsFiles,
    answers: 'The close.',
    reply: closeReply,
    errors: ['not_found'],
    example: { params: { closeId: 'close_of_the_example' } },
  },
  (call) => getClose(call, call.params.closeId),
);
