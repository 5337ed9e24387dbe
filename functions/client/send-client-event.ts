import { sendEventFromPage } from '../../lib/client/replies.ts';
import { sendingEvents } from '../../lib/events/event-body.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/events',
    caller: 'client',
    scope: 'client_events',
    clientSwitch: 'events',
    summary: 'Send a custom event from a page',
    answers: 'The event as it was taken; of its customer the ids alone.',
    ...sendingEvents,
  },
  (call) => sendEventFromPage(call, call.body),
);
