import { createEventSchema } from '#engine/loyalty/events/manage-schemas.ts';
import { createSchemaBody, eventSchema } from '#engine/loyalty/events/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/custom-event-schemas',
    caller: 'management',
    summary: 'Create a custom event schema',
    note: 'The name identifies the event, and a second schema with this name is refused.',
    body: createSchemaBody,
    answers: 'The schema.',
    reply: eventSchema,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { projectId: 'proj_demo' },
      body: { name: 'crew_photo_taken', schema: { properties: { likes: { type: 'number', optional: true } } } },
    },
  },
  (call) => createEventSchema(call, call.params.projectId, call.body),
);
