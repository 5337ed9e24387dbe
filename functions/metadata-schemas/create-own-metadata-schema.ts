import { createOwnSchema } from '#addons/admin/metadata-schemas/manage-schemas.ts';
import { createOwnSchemaBody, shownSchema } from '#addons/admin/metadata-schemas/schema-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/metadata-schemas',
    scope: 'metadata-schemas',
    summary: "Create a metadata schema of the caller's project",
    note: 'Has the same effect as the management path. The schema applies after at most a minute.',
    body: createOwnSchemaBody,
    answers: 'The schema.',
    reply: shownSchema,
    errors: ['duplicate_found'],
    example: { body: { related_object: 'shelf', properties: { weight: { type: 'number', gt: 0 } } } },
  },
  (call) => createOwnSchema(call, call.body),
);
