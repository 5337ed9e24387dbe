import { sendingEvents } from '../../lib/events/event-body.ts';
import { sendEvent } from '../../lib/events/send-event.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/events',
    scope: 'events',
    summary: 'Send a custom event',
    answers: 'The event as it was taken, with its customer.',
    ...sendingEvents,
  },
  (call) => sendEvent(call, call.body),
);
