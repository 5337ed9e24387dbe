import * as v from 'valibot';
import { metadata } from '#kernel/core/schema.ts';
import { type CustomerItem, showMetadata } from './customer.ts';

/** Shows a customer in publications and redemptions. */
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
  return { id, source_id, name, email, ...showMetadata(metadata), object: 'customer' };
}
