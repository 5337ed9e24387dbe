import { listMetadataSchemas } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { shownSchemaList } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/metadata-schemas',
    scope: 'metadata-schemas',
    summary: 'List the metadata schemas of the project',
    note: 'The list has the schemas of resources and the custom schemas. A resource without a schema is left out.',
    answers: 'All metadata schemas of the project, by name.',
    reply: shownSchemaList,
    table: 'get',
    example: {},
  },
  (call) => listMetadataSchemas(call),
);
