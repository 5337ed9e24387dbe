import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteEventSchema } from '../../lib/loyalty/events/manage-schemas.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/custom-event-schemas/{schemaId}',
    caller: 'management',
    summary: 'Delete a custom event schema',
    params: { schemaId: 'Id of the schema.' },
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', schemaId: 'ms_ZYwVucAqTMxGhimh4kUVFF' } },
  },
  (call) => deleteEventSchema(call, call.params),
);
