import { revokeProjectKey } from '#addons/admin/management/project-keys.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/keys/{keyId}',
    caller: 'management',
    summary: 'Revoke a key of a project',
    note:
      'Switches the key off for ever, with its tokens and with bearer tokens that it asked for. ' +
      'Every container refuses it within 60 seconds. This path is an addition of Tessera.',
    params: { keyId: 'Id of the key, as callers send it.' },
    answers: 'The key is off. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', keyId: 'demo-old-till' } },
  },
  (call) => revokeProjectKey(call, call.params),
);
