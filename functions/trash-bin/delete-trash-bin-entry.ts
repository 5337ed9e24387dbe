import { purges } from '../../lib/background/purges.ts';
import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteBinEntry } from '../../lib/kit/bin/delete-bin-entry.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/trash-bin/{binEntryId}',
    scope: 'trash-bin',
    summary: 'Delete what is in the bin for good',
    note: 'Its name, code or source id is free again.',
    answers: 'Deleted: the reply has no body.',
    reply: empty,
    errors: ['not_found'],
  },
  (call) => deleteBinEntry(call, call.params.binEntryId, purges),
);
