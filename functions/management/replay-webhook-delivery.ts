import { replayDelivery, shownDelivery } from '#addons/webhooks/log.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    caller: 'management',
    summary: 'Send an event to a webhook again',
    note: 'Makes one more attempt with the same ids and payload, also if the webhook is switched off.',
    params: { deliveryId: 'Id of the delivery, which receivers find in `id`.' },
    answers: 'The delivery, which waits for its attempt.',
    reply: shownDelivery,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till', deliveryId: 'whs_of_the_example' } },
  },
  (call) => replayDelivery(call, call.params),
);
