import { deliveryList, listDeliveries } from '#addons/webhooks/log.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries',
    caller: 'management',
    summary: 'List the deliveries of a webhook',
    note: 'Deliveries are kept for 30 days.',
    query: deliveryList.query,
    answers: 'The deliveries with all their attempts, the newest first.',
    reply: deliveryList.reply,
    errors: ['not_found'],
    table: 'read',
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till' }, query: 'status=FAILED&limit=20' },
  },
  (call) => listDeliveries(call, call.params, call.query),
);
