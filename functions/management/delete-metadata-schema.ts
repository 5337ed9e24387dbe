import { deleteMetadataSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}',
    caller: 'management',
    summary: 'Delete a metadata schema',
    note: 'Stored metadata stays. A custom schema that others nest is not deleted.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { projectId: 'proj_demo', metadataSchemaId: 'ms_Bqx8sbaf-H_UAnHiYkYV_9' } },
  },
  (call) => deleteMetadataSchema(call, call.params),
);
