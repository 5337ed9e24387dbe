import { listManagedSchemas } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { managedSchemaList } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/metadata-schemas',
    caller: 'management',
    summary: 'List the metadata schemas of a project',
    note: 'The list has the schemas of resources and the custom schemas.',
    answers: 'All metadata schemas of the project, by name.',
    reply: managedSchemaList,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listManagedSchemas(call, call.params.projectId),
);
