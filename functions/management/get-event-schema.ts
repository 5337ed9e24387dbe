import { getEventSchema } from '#engine/loyalty/events/manage-schemas.ts';
import { eventSchema } from '#engine/loyalty/events/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/custom-event-schemas/{schemaId}',
    caller: 'management',
    summary: 'Get a custom event schema',
    note: 'The id of a schema follows from its name.',
    params: { schemaId: 'Id of the schema.' },
    answers: 'The schema.',
    reply: eventSchema,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', schemaId: 'ms_pT1PEOcbw9n187j0gZnskr' } },
  },
  (call) => getEventSchema(call, call.params),
);
