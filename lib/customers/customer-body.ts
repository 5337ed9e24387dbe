import type * as v from 'valibot';
import { described } from '../core/documented.ts';
import { identifier, longText, nullable, object, sentMetadata, shortText } from '../core/schema.ts';
import { birthDate } from './birth-date.ts';
import type { CustomerData } from './change-customer.ts';
import { addressOf } from './customer.ts';

/** What a caller may say of a customer; `null` clears, and what is not sent stays. */
export const customerFields = {
  name: described(nullable(shortText), 'What they are called.'),
  description: nullable(longText),
  email: nullable(shortText),
  phone: nullable(shortText),
  birthday: described(nullable(birthDate), 'Deprecated: `birthdate`, which counts where both are sent.'),
  birthdate: nullable(birthDate),
  address: described(
    nullable(object(addressOf(shortText))),
    'Merged field by field; a field that is `null` stays `null`.',
  ),
  metadata: described(nullable(sentMetadata), 'Merged key by key; a key that is `null` stays `null`.'),
};

export const updateCustomerBody = object(customerFields);

export const createCustomerBody = object({
  id: described(nullable(identifier), 'Of the customer that is updated; it wins over `source_id`.'),
  source_id: described(
    nullable(identifier),
    'What the caller knows the customer by: of a known one, or of the new one. Unique in the project.',
  ),
  ...customerFields,
});

export type UpdateCustomerBody = v.InferOutput<typeof updateCustomerBody>;
export type CreateCustomerBody = v.InferOutput<typeof createCustomerBody>;

/** Clients leave out what they don't know of a guest, and may so send an empty object. */
export function saysNothing(customer: CreateCustomerBody): boolean {
  return Object.values(customer).every((value) => {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return value === undefined || value === null || isEmpty;
  });
}

/** With one name for the date of birth. */
export function customerData({ birthday, birthdate = birthday, ...others }: UpdateCustomerBody): CustomerData {
  return { ...others, birthdate };
}
