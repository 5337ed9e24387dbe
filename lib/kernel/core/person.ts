import { createHmac, type KeyObject } from 'node:crypto';
import { normaliseEmail } from './email-address.ts';

/**
 * Recognises the same person in several customers. Limits by person count under a keyed hash, so that no counter has an
 * address or a number. See docs/validation-rules.md#persons.
 */

/** These mailboxes ignore dots in the part before the `@`. */
const hostsWithoutDots = ['gmail.com', 'googlemail.com'];

/** Returns the mailbox of an address: in lower case, and without the part that follows a plus sign. */
function toMailbox(email: string): string | undefined {
  const address = normaliseEmail(email).normalize('NFKC');
  const at = address.lastIndexOf('@');
  const [local, host] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || host === '') return undefined;
  const [box = ''] = local.split('+');
  const named = hostsWithoutDots.includes(host) ? box.replaceAll('.', '') : box;
  const base = hostsWithoutDots.includes(host) ? 'gmail.com' : host;
  return `${named === '' ? local : named}@${base}`;
}

/** Returns the digits of a number, without the zeros that begin a call to another country. */
function toDigits(phone: string): string | undefined {
  return phone.normalize('NFKC').replaceAll(/\D/g, '').replace(/^00/, '') || undefined;
}

interface Known {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly source_id?: string | null | undefined;
}

function describePerson({ email, phone, source_id }: Known): [by: string, value: string] | undefined {
  const mailbox = email ? toMailbox(email) : undefined;
  if (mailbox !== undefined) return ['email', mailbox];
  const digits = phone ? toDigits(phone) : undefined;
  if (digits !== undefined) return ['phone', digits];
  return source_id ? ['source_id', source_id] : undefined;
}

/** Returns whether the customer has no data that identifies a person. */
export function isNobody(customer: Known): boolean {
  return describePerson(customer) === undefined;
}

/** Returns whether both customers are the same person. A customer without such data matches no other customer. */
export function isOnePerson(one: Known, other: Known): boolean {
  const [person, same] = [describePerson(one), describePerson(other)];
  return person !== undefined && same !== undefined && person.join('\n') === same.join('\n');
}

/**
 * Returns the keyed hash by which a customer's person is counted. `undefined` means that the customer has no
 * identifying data.
 */
export function identifyPerson({ personKey }: { readonly personKey: KeyObject }, customer: Known): string | undefined {
  const person = describePerson(customer);
  return person && createHmac('sha256', personKey).update(person.join('\n')).digest('base64url');
}
