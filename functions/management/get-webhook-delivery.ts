import { detailedDelivery, getDelivery } from '#addons/webhooks/log.ts';
import { showsEvents } from '#kernel/core/files/access.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    caller: 'management',
    summary: 'Get a delivery of a webhook',
    note: 'Deliveries can be read for 30 days.',
    params: { deliveryId: 'Id of the delivery, which receivers find in `id`.' },
    answers: 'The delivery with all its attempts, and with its request, signed again.',
    files: showsEvents,
    reply: detailedDelivery,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till', deliveryId: 'whs_of_the_example' } },
  },
  (call) => getDelivery(call, call.params),
);
