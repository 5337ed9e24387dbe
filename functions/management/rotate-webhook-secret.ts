import { operation } from '../../lib/http/operation.ts';
import { rotateSecretBody, rotateWebhookSecret, webhookSecret } from '../../lib/publishing/webhooks/secret.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhook-secret/rotate',
    caller: 'management',
    summary: 'Replace the secret that signs webhooks',
    note: 'The secret before it stays valid for 24 hours, unless `keep_previous` is `false`.',
    body: rotateSecretBody,
    answers: 'The new secret, and the one before it.',
    reply: webhookSecret,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo' }, body: {} },
  },
  (call) => rotateWebhookSecret(call, call.params.projectId, call.body),
);
