import { projectKeyWithToken, rotateKeyBody, rotateProjectKey } from '#addons/admin/management/project-keys.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/keys/{keyId}/rotate',
    caller: 'management',
    summary: 'Rotate a key of a project',
    note:
      'Gives the key a second token. The older token works until its end, 24 hours from now by default. ' +
      'An end in the past ends it immediately. This path is an addition of Tessera.',
    params: { keyId: 'Id of the key, as callers send it.' },
    body: rotateKeyBody,
    answers: 'The key with its new token. No other reply shows the token.',
    reply: projectKeyWithToken,
    errors: ['not_found', 'resource_in_use'],
    example: { params: { projectId: 'proj_demo', keyId: 'demo-app' }, body: {} },
  },
  (call) => rotateProjectKey(call, call.params, call.body),
);
