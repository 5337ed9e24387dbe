import { deleteWebhook } from '#addons/webhooks/manage-webhooks.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /management/v1/projects/{projectId}/webhooks/{webhookId}',
    caller: 'management',
    summary: 'Delete a webhook',
    note: 'Deliveries that wait are not made.',
    answers: 'The object is deleted. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_old_crm' } },
  },
  (call) => deleteWebhook(call, call.params),
);
