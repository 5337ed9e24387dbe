import { sendEventFromPage } from '../../lib/client/replies.ts';
import { eventBody, eventRecord } from '../../lib/events/event-body.ts';
import { operation } from '../../lib/http/operation.ts';
import { voucherRefusalKeys } from '../../lib/validity/usable.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/events',
    caller: 'client',
    scope: 'client_events',
    clientSwitch: 'events',
    summary: 'Send a custom event from a page',
    note:
      'The event and its metadata are as the event schema of the project has them. A customer with an unknown `source_id` ' +
      'is created. `loyalty` credits the card by the earning rules of its campaign; `referral` counts a conversion.',
    body: eventBody,
    answers: 'The event as it was taken; of its customer the ids alone.',
    reply: eventRecord,
    errors: [
      'event_not_defined',
      'metadata_validation_failed',
      'duplicate_found',
      ...voucherRefusalKeys,
      'invalid_amount',
      'invalid_campaign',
    ],
    example: {
      body: {
        event: 'purchase_made',
        customer: { source_id: 'crm-101' },
        loyalty: { code: 'CREW-INGRID' },
        metadata: { amount: 24900, receipt: 'B-1207' },
      },
    },
  },
  (call) => sendEventFromPage(call, call.body),
);
