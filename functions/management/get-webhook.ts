import { getWebhook } from '#addons/webhooks/manage-webhooks.ts';
import { webhook } from '#addons/webhooks/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhooks/{webhookId}',
    caller: 'management',
    summary: 'Get a webhook',
    note: 'The reply does not have the secret that signs deliveries.',
    answers: 'The webhook.',
    reply: webhook.reply,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till' } },
  },
  (call) => getWebhook(call, call.params),
);
