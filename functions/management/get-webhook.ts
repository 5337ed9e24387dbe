import { operation } from '../../lib/http/operation.ts';
import { getWebhook } from '../../lib/publishing/webhooks/manage-webhooks.ts';
import { webhook } from '../../lib/publishing/webhooks/resource.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhooks/{webhookId}',
    caller: 'management',
    summary: 'Get a webhook',
    answers: 'The webhook.',
    reply: webhook.reply,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till' } },
  },
  (call) => getWebhook(call, call.params),
);
