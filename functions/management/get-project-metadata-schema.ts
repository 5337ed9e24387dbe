import { operation } from '../../lib/http/operation.ts';
import { getManagedSchema } from '../../lib/operator/metadata-schemas/manage-schemas.ts';
import { managedSchema } from '../../lib/operator/metadata-schemas/schema-body.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}',
    caller: 'management',
    summary: 'Get a metadata schema of a project',
    answers: 'The schema.',
    reply: managedSchema,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', metadataSchemaId: 'ms_FVnxjCFDhDZPDz-xn2wn_h' } },
  },
  (call) => getManagedSchema(call, call.params),
);
