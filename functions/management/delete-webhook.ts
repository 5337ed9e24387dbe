import { operation } from '../../lib/http/operation.ts';
import { empty } from '../../lib/http/route.ts';
import { deleteWebhook } from '../../lib/publishing/webhooks/manage-webhooks.ts';

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
