import { deleteEventSchema } from '#engine/loyalty/events/manage-schemas.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/custom-event-schemas/{schemaId}',
    caller: 'management',
    summary: 'Delete a custom event schema',
    note: 'Later events with this name are refused. Earning rules for them stay, and earn nothing.',
    params: { schemaId: 'Id of the schema.' },
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', schemaId: 'ms_ZYwVucAqTMxGhimh4kUVFF' } },
  },
  (call) => deleteEventSchema(call, call.params),
);
