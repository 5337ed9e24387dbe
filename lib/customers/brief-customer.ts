import * as v from 'valibot';
import { metadata } from '../core/schema.ts';
import { type CustomerItem, shownMetadata } from './customer.ts';

/** A customer as what they were given, and what they redeemed, shows them. */
export const briefCustomer = v.object({
  id: v.string(),
  source_id: v.nullable(v.string()),
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
  metadata: v.optional(metadata),
  object: v.literal('customer'),
});

export type BriefCustomer = v.InferOutput<typeof briefCustomer>;

export function presentBriefly({
  id,
  source_id = null,
  name = null,
  email = null,
  metadata,
}: CustomerItem): BriefCustomer {
  return { id, source_id, name, email, ...shownMetadata(metadata), object: 'customer' };
}
