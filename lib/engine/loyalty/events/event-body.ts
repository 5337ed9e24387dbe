import * as v from 'valibot';
import { birthDate } from '#engine/customers/birth-date.ts';
import { briefCustomer } from '#engine/customers/brief-customer.ts';
import { addressEntries } from '#engine/customers/customer.ts';
import { voucherRefusalKeys } from '#engine/rules/validity/refusals.ts';
import { named, shownAs } from '#kernel/core/documented.ts';
import { sentEmail } from '#kernel/core/email-address.ts';
import type { ErrorKey } from '#kernel/core/errors.ts';
import { identifier, longText, metadata, nullable, object, sentMetadata, shortText } from '#kernel/core/schema.ts';

const eventBody = object({
  event: identifier,
  customer: v.pipe(
    object({
      id: nullable(identifier),
      source_id: nullable(identifier),
      name: nullable(shortText),
      description: nullable(longText),
      email: nullable(sentEmail),
      phone: nullable(shortText),
      birthdate: nullable(birthDate),
      address: nullable(object(addressEntries(shortText))),
      metadata: nullable(sentMetadata),
    }),
    v.check(({ id, source_id }) => Boolean(id ?? source_id), 'must have an id or a source_id'),
  ),
  referral: nullable(object({ code: identifier, referrer_id: nullable(identifier) })),
  loyalty: nullable(object({ code: identifier })),
  metadata: nullable(sentMetadata),
});

export type EventBody = v.InferOutput<typeof eventBody>;

/** Existing clients read these fields, which a reply has without a value. */
const unshown = shownAs(v.null(), {
  type: ['object', 'null'],
  description: 'Always null.',
  additionalProperties: true,
});

const eventRecord = named(
  'Event',
  v.object({
    object: v.literal('event'),
    type: v.string(),
    customer: briefCustomer,
    referral: unshown,
    loyalty: unshown,
    metadata,
  }),
);

export type EventRecord = v.InferOutput<typeof eventRecord>;

/** The note, body, reply and errors that the operations of servers and of pages share. */
export const sendingEvents = {
  note:
    'The event and its metadata must match the event schema of the project. A customer with an unknown ' +
    '`source_id` is created. With `loyalty`, the card gets points by the earning rules of its campaign. With ' +
    '`referral`, the event counts as a conversion.',
  body: eventBody,
  reply: eventRecord,
  errors: [
    'event_not_defined',
    'metadata_validation_failed',
    'duplicate_found',
    ...voucherRefusalKeys,
    'invalid_amount',
    'invalid_campaign',
  ] satisfies ErrorKey[],
  example: {
    body: {
      event: 'purchase_made',
      customer: { source_id: 'crm-101' },
      loyalty: { code: 'CREW-INGRID' },
      metadata: { amount: 24900, receipt: 'B-1207' },
    },
  },
};
