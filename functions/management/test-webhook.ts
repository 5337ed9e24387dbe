import { sendTest, shownDelivery, testBody } from '#addons/webhooks/log.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries',
    caller: 'management',
    summary: 'Send a test event to a webhook',
    note: 'The `data` of the event are `{"test": true}`. It is tried once, also if the webhook is switched off.',
    body: testBody,
    answers: 'The delivery, which waits for its attempt.',
    reply: shownDelivery,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till' }, body: { type: 'redemption.succeeded' } },
  },
  (call) => sendTest(call, call.params, call.body),
);
