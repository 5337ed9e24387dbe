import { listEventSchemas } from '#engine/loyalty/events/manage-schemas.ts';
import { eventSchemaList } from '#engine/loyalty/events/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/custom-event-schemas',
    caller: 'management',
    summary: 'List the custom event schemas of a project',
    note: 'The list has events that the shop defines. It leaves out events that the service records by itself.',
    answers: 'All event schemas of the project.',
    reply: eventSchemaList,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listEventSchemas(call, call.params.projectId),
);
