import { sendEventFromBrowser } from '#engine/checkout/browser/replies.ts';
import { sendingEvents } from '#engine/loyalty/events/event-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/events',
    caller: 'client',
    scope: 'client_events',
    clientSwitch: 'events',
    summary: 'Send a custom event from a browser',
    answers: 'The accepted event. It shows only the ids of the customer.',
    ...sendingEvents,
    note:
      "The project's event schema must define the event and its metadata. Only rules with `client_events` give " +
      'points, and they see no metadata of the event. `loyalty` names the card that gets the points. `referral` ' +
      'counts a conversion if the switch `client.referrals` is on. An unknown `source_id` creates a customer if ' +
      'the switch `client.customers` is on. No other customer changes.',
    example: {
      body: {
        event: 'tasting_booked',
        customer: { source_id: 'crm-101' },
        metadata: { on: '2026-06-12', vegan: false },
      },
    },
  },
  (call) => sendEventFromBrowser(call, call.body),
);
