import { purges } from '#addons/upkeep/purges.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';
import { deleteBinEntry } from '#kernel/kit/bin/delete-bin-entry.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/trash-bin/{binEntryId}',
    scope: 'trash-bin',
    summary: 'Delete an entry of the bin permanently',
    note: 'The name, code or source id of the object is free again.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
  },
  (call) => deleteBinEntry(call, call.params.binEntryId, purges),
);
