import { getManagedSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { managedSchema } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}',
    caller: 'management',
    summary: 'Get a metadata schema of a project',
    note: 'The schema has a definition for each key, including retired keys.',
    answers: 'The schema.',
    reply: managedSchema,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', metadataSchemaId: 'ms_FVnxjCFDhDZPDz-xn2wn_h' } },
  },
  (call) => getManagedSchema(call, call.params),
);
