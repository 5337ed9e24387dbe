import * as v from 'valibot';
import { email, reference, shortText } from '../../core/schema.ts';
import { type ItemKey, kind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';

export const user = v.object({ email, first_name: shortText, last_name: shortText, role: reference });

export const usersById = kind(kinds.user, user);

/** Returns the key of a user. Spellings of an address that differ in case are one person. */
export function userKey(projectId: string, email: string): ItemKey<typeof user> {
  return usersById(projectId, email.toLowerCase());
}
