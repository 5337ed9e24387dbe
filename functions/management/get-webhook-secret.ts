import { getWebhookSecret, webhookSecret } from '#addons/webhooks/secret.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhook-secret',
    caller: 'management',
    summary: 'Get the secret that signs webhooks',
    note: 'The first call makes the secret.',
    answers: 'The secret, and the previous secret while it is valid.',
    reply: webhookSecret,
    errors: ['not_found'],
    table: 'write',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => getWebhookSecret(call, call.params.projectId),
);
