import { createKeyBody, createProjectKey, projectKeyWithToken } from '#addons/admin/management/project-keys.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/keys',
    caller: 'management',
    summary: 'Create a key of a project',
    note: 'This path is an addition of Tessera.',
    body: createKeyBody,
    answers: 'The key with its token. No other reply shows the token.',
    reply: projectKeyWithToken,
    errors: ['not_found', 'too_many_resources'],
    example: { params: { projectId: 'proj_demo' }, body: { type: 'SERVER', name: 'Till 2' } },
  },
  (call) => createProjectKey(call, call.params.projectId, call.body),
);
