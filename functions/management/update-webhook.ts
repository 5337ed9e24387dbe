import { updateWebhook } from '#addons/webhooks/manage-webhooks.ts';
import { webhook } from '#addons/webhooks/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/webhooks/{webhookId}',
    caller: 'management',
    summary: 'Update a webhook',
    note: 'Changes only the fields that are sent. The types of events are replaced.',
    body: webhook.updateBody,
    answers: 'The updated webhook.',
    reply: webhook.reply,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { projectId: 'proj_demo', webhookId: 'wh_till' },
      body: { events: ['redemption.succeeded', 'redemption.rollback.succeeded'] },
    },
  },
  (call) => updateWebhook(call, call.params, call.body),
);
