import { replayBody, replayed, replayFailed } from '#addons/webhooks/log.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/replay',
    caller: 'management',
    summary: 'Send failed events to a webhook again',
    note: 'Makes one more attempt of up to 200 failed deliveries. Repeat the request while `has_more` is true.',
    body: replayBody,
    answers: 'The number of deliveries that are sent again.',
    reply: replayed,
    errors: ['not_found'],
    example: { params: { projectId: 'proj_demo', webhookId: 'wh_till' }, body: { since: '2026-06-01T00:00:00Z' } },
  },
  (call) => replayFailed(call, call.params, call.body),
);
