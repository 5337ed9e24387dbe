import * as v from 'valibot';
import { list, refer } from '../entries/list.ts';
import { email, reference, shortText } from '../schema.ts';
import { keys } from '../table/keys.ts';
import { builtInRoles } from './role.ts';

const user = v.object({ email, first_name: shortText, last_name: shortText, role: reference });

/** Users that the project already has. */
export const users = list('users', user, {
  called: 'user',
  names: ['email'],
  // As `keys.user`: two spellings of an address that differ in case are one person.
  spelt: (address) => address.toLowerCase(),
  references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (entry, { projectId }) => [
    {
      key: keys.user(projectId, entry.email),
      item: entry,
      // Makes an invitation fail that is under way and has not seen the new user.
      counted: [{ key: keys.invitee(entry.email), attribute: 'revision' }],
    },
  ],
  kinds: ['USER'],
});
