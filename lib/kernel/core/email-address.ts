import * as v from 'valibot';
import { shortText } from './schema.ts';

/** A customer's e-mail address in the spelling of the caller. Only blanks at its ends are removed. */
export const sentEmail = v.pipe(shortText, v.trim());

/** Returns the form in which e-mail addresses are compared: without blanks at the ends, and in lower case. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
