import { operation } from '../../lib/http/operation.ts';
import { listMetadataSchemas } from '../../lib/operator/metadata-schemas/manage-schemas.ts';
import { shownSchemaList } from '../../lib/operator/metadata-schemas/schema-body.ts';

export const handler = operation(
  {
    route: 'GET /v1/metadata-schemas',
    scope: 'metadata-schemas',
    summary: 'List the metadata schemas of the project',
    answers: 'All metadata schemas of the project, by name.',
    reply: shownSchemaList,
    table: 'get',
    example: {},
  },
  (call) => listMetadataSchemas(call),
);
