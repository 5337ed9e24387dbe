import { updateMetadataSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { managedSchema, updateMetadataSchemaBody } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}',
    caller: 'management',
    summary: 'Update a metadata schema',
    note:
      'Replaces the definitions that are sent, and keeps the others. A definition with `deleted` is retired. The ' +
      'type of a definition cannot change. The change applies after at most a minute.',
    body: updateMetadataSchemaBody,
    answers: 'The updated schema.',
    reply: managedSchema,
    errors: ['not_found'],
    example: {
      params: { projectId: 'proj_demo', metadataSchemaId: 'ms_FVnxjCFDhDZPDz-xn2wn_h' },
      body: { properties: { harvested: { type: 'date', lte: '2030-12-31' } } },
    },
  },
  (call) => updateMetadataSchema(call, call.params, call.body),
);
