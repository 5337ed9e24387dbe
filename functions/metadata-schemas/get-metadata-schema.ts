import { getMetadataSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { shownSchema } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/metadata-schemas/{resource}',
    scope: 'metadata-schemas',
    summary: 'Get the metadata schema of a resource',
    note: 'The schema has a definition for each key, including retired keys.',
    params: {
      resource: 'The resource with metadata, such as `order_item`, the name of a custom schema, or the id of a schema.',
    },
    answers: 'The schema.',
    reply: shownSchema,
    errors: ['not_found'],
    table: 'get',
    example: { params: { resource: 'product' } },
  },
  (call) => getMetadataSchema(call, call.params.resource),
);
