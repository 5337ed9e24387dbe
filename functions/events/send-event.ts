import { operation } from '../../lib/http/operation.ts';
import { sendingEvents } from '../../lib/loyalty/events/event-body.ts';
import { sendEvent } from '../../lib/loyalty/events/send-event.ts';

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
