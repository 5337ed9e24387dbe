import { deleteOwnSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/metadata-schemas/{resource}',
    scope: 'metadata-schemas',
    summary: "Delete a metadata schema of the caller's project",
    note: 'Stored metadata stays. A custom schema that others nest is not deleted.',
    params: { resource: 'The id of the schema, or its `related_object`.' },
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { resource: 'ms_Bqx8sbaf-H_UAnHiYkYV_9' } },
  },
  (call) => deleteOwnSchema(call, call.params.resource),
);
