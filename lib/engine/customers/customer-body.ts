import type * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { sentEmail } from '#kernel/core/email-address.ts';
import { identifier, longText, nullable, object, sentMetadata, shortText } from '#kernel/core/schema.ts';
import { birthDate } from './birth-date.ts';
import type { CustomerData } from './change-customer.ts';
import { addressEntries } from './customer.ts';

/** Callers may send these fields of a customer. `null` clears a field, and a missing field stays. */
export const customerFields = {
  name: described(nullable(shortText), 'The name of the customer.'),
  description: nullable(longText),
  email: described(nullable(sentEmail), 'Stored without blanks at its ends. Searches ignore upper and lower case.'),
  phone: nullable(shortText),
  birthday: described(nullable(birthDate), 'Deprecated: use `birthdate`, which wins if both are sent.'),
  birthdate: nullable(birthDate),
  address: described(
    nullable(object(addressEntries(shortText))),
    'The address is merged field by field. A field with `null` stays `null`.',
  ),
  metadata: described(nullable(sentMetadata), 'The metadata is merged key by key. A key with `null` stays `null`.'),
};

export const updateCustomerBody = object(customerFields);

export const createCustomerBody = object({
  id: described(nullable(identifier), 'The id of the customer to update. It wins over `source_id`.'),
  source_id: described(
    nullable(identifier),
    "The caller's own id of a known or a new customer. Unique in the project.",
  ),
  ...customerFields,
});

export type UpdateCustomerBody = v.InferOutput<typeof updateCustomerBody>;
export type CreateCustomerBody = v.InferOutput<typeof createCustomerBody>;

/** Returns whether the data is empty. Clients may send an empty object for a guest. */
export function isEmptyCustomer(customer: CreateCustomerBody): boolean {
  return Object.values(customer).every((value) => {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return value === undefined || value === null || isEmpty;
  });
}

/** Returns the data with one name for the date of birth. */
export function readCustomerData({ birthday, birthdate = birthday, ...others }: UpdateCustomerBody): CustomerData {
  return { ...others, birthdate };
}
