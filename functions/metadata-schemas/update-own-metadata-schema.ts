import { updateOwnSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { shownSchema, updateOwnSchemaBody } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/metadata-schemas/{resource}',
    scope: 'metadata-schemas',
    summary: "Update a metadata schema of the caller's project",
    note:
      'Replaces the definitions that are sent, and keeps the others. A definition with `deleted` is retired. The ' +
      'type of a definition cannot change. The change applies after at most a minute.',
    params: { resource: 'The id of the schema, or its `related_object`.' },
    body: updateOwnSchemaBody,
    answers: 'The updated schema.',
    reply: shownSchema,
    errors: ['not_found'],
    example: {
      params: { resource: 'product' },
      body: { properties: { harvested: { type: 'date', lte: '2030-12-31' } } },
    },
  },
  (call) => updateOwnSchema(call, call.params.resource, call.body),
);
