import * as v from 'valibot';
import { addressFields } from '../customers/customer.ts';
import { date, identifier, keptText, metadata, nullable, object } from '../schema.ts';

/** DynamoDB takes 400 KB an item; an event lies in one, and so does a customer. */
const maxMetadataBytes = 300_000;

const storedMetadata = v.pipe(
  metadata,
  v.check(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes,
    `must have at most ${maxMetadataBytes} bytes as JSON`,
  ),
);

const shortText = nullable(v.pipe(keptText, v.maxLength(1_000, 'must have at most 1000 characters')));

/** Contract, endpoint 18; ruling F.1. */
export const eventBody = object({
  event: v.pipe(
    v.string(),
    v.minLength(1, 'must have 1 to 300 characters'),
    v.maxLength(300, 'must have 1 to 300 characters'),
  ),
  customer: v.pipe(
    object({
      id: nullable(identifier),
      source_id: nullable(identifier),
      name: shortText,
      description: shortText,
      email: shortText,
      phone: shortText,
      birthdate: nullable(date),
      address: nullable(object(addressFields)),
      metadata: nullable(storedMetadata),
    }),
    v.check(({ id, source_id }) => Boolean(id ?? source_id), 'must have an id or a source_id'),
  ),
  referral: nullable(object({ code: identifier, referrer_id: nullable(identifier) })),
  loyalty: nullable(object({ code: identifier })),
  metadata: nullable(storedMetadata),
});

export type EventBody = v.InferOutput<typeof eventBody>;

/** Contract, "Event record". */
export const eventRecord = v.object({
  object: v.literal('event'),
  type: v.string(),
  customer: v.object({
    id: v.string(),
    name: v.nullable(v.string()),
    email: v.nullable(v.string()),
    source_id: v.nullable(v.string()),
    metadata,
    object: v.literal('customer'),
  }),
  referral: v.null(),
  loyalty: v.null(),
  metadata,
});

export type EventRecord = v.InferOutput<typeof eventRecord>;
