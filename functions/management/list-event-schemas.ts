import { listEventSchemas } from '../../lib/events/manage-schemas.ts';
import { eventSchemaList } from '../../lib/events/schema-body.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/custom-event-schemas',
    caller: 'management',
    summary: 'List the custom event schemas of a project',
    answers: 'All of them.',
    reply: eventSchemaList,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listEventSchemas(call, call.params.projectId),
);
