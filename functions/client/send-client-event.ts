import { sendEventFromPage } from '../../lib/checkout/browser/replies.ts';
import { operation } from '../../lib/http/operation.ts';
import { sendingEvents } from '../../lib/loyalty/events/event-body.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/events',
    caller: 'client',
    scope: 'client_events',
    clientSwitch: 'events',
    summary: 'Send a custom event from a page',
    answers: 'The event as it was taken; of its customer the ids alone.',
    ...sendingEvents,
    note:
      'The event and its metadata are as the event schema of the project has them. Points are earned by rules with `client_events` alone, which see no ' +
      'metadata of the event. `loyalty` names the card that they go to. `referral` counts a conversion, where the switch `client.referrals` is on. ' +
      'A customer with an unknown `source_id` is created, where the switch `client.customers` is on; no other is changed.',
    example: {
      body: {
        event: 'tasting_booked',
        customer: { source_id: 'crm-101' },
        metadata: { on: '2026-06-12', vegan: false },
      },
    },
  },
  (call) => sendEventFromPage(call, call.body),
);
