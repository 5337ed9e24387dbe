import { createMetadataSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { createMetadataSchemaBody, managedSchema } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/metadata-schemas',
    caller: 'management',
    summary: 'Create a metadata schema',
    note:
      'The metadata of every new object must fit the schema of its resource. Objects that exist stay readable, and ' +
      'their next change of metadata must fit. The schema applies after at most a minute.',
    body: createMetadataSchemaBody,
    answers: 'The schema.',
    reply: managedSchema,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { projectId: 'proj_demo' },
      body: {
        related_object: 'reward',
        properties: { weight: { type: 'number', gt: 0 }, tags: { type: 'string', array: true, max_length: 20 } },
      },
    },
  },
  (call) => createMetadataSchema(call, call.params.projectId, call.body),
);
