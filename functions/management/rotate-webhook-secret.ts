import { rotateSecretBody, webhookSecret } from '#addons/webhooks/secret.ts';
import { rotateSigningKey } from '#addons/webhooks/token.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhook-secret/rotate',
    caller: 'management',
    summary: 'Replace a key that signs webhooks',
    note: '`what` chooses the secret or the token of the project. The key before it stays valid for 24 hours, unless `keep_previous` is `false`.',
    body: rotateSecretBody,
    answers: 'Both keys, and the keys before them while they are valid.',
    reply: webhookSecret,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo' }, body: {} },
  },
  (call) => rotateSigningKey(call, call.params.projectId, call.body),
);
