import { listWebhooks, webhookList } from '#addons/webhooks/manage-webhooks.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhooks',
    caller: 'management',
    summary: 'List the webhooks of a project',
    note: 'The reply does not have the secret that signs deliveries.',
    answers: 'The webhooks, the newest first.',
    reply: webhookList,
    errors: ['not_found'],
    table: 'read',
    example: { params: { projectId: 'proj_demo' } },
  },
  (call) => listWebhooks(call, call.params.projectId),
);
