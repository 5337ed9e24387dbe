import { sendingEvents } from '#engine/loyalty/events/event-body.ts';
import { sendEvent } from '#engine/loyalty/events/send-event.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/events',
    scope: 'events',
    summary: 'Send a custom event',
    answers: 'The accepted event, with its customer.',
    ...sendingEvents,
  },
  (call) => sendEvent(call, call.body),
);
