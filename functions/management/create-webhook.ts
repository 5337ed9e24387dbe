import { createWebhook } from '#addons/webhooks/manage-webhooks.ts';
import { webhook } from '#addons/webhooks/resource.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhooks',
    caller: 'management',
    summary: 'Create a webhook',
    note: 'A project has at most 100 webhooks, each with a different target.',
    body: webhook.createBody,
    answers: 'The webhook.',
    reply: webhook.reply,
    errors: ['not_found', 'duplicate_found', 'too_many_resources'],
    example: {
      params: { projectId: 'proj_demo' },
      body: {
        target_url: 'https://crm.harbourcoffee.example/hooks',
        events: ['customer.created', 'voucher.published'],
      },
    },
  },
  (call) => createWebhook(call, call.params.projectId, call.body),
);
