import { updateEventSchema } from '#engine/loyalty/events/manage-schemas.ts';
import { eventSchema, updateSchemaBody } from '#engine/loyalty/events/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/custom-event-schemas/{schemaId}',
    caller: 'management',
    summary: 'Update a custom event schema',
    note: 'Replaces the properties that are sent, and keeps the others. A property with `deleted` is removed.',
    params: { schemaId: 'Id of the schema.' },
    body: updateSchemaBody,
    answers: 'The updated schema.',
    reply: eventSchema,
    errors: ['not_found'],
    example: {
      params: { projectId: 'proj_demo', schemaId: 'ms_pT1PEOcbw9n187j0gZnskr' },
      body: { schema: { properties: { till: { type: 'number', optional: true } } } },
    },
  },
  (call) => updateEventSchema(call, call.params, call.body.schema),
);
