import { list, refer } from '../../kit/entries/list.ts';
import { invitee } from './invitation.ts';
import { builtInRoles } from './role.ts';
import { user, userOf, usersById } from './user.ts';

/** Lists the project's existing users. */
export const users = list('users', user, {
  called: 'user',
  names: ['email'],
  // The same form as in `userOf`.
  spelt: (address) => address.toLowerCase(),
  references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (entry, { projectId }) => [
    {
      key: userOf(projectId, entry.email),
      item: entry,
      // A running invitation that has not seen the new user is refused.
      counted: [{ key: invitee(entry.email), attribute: 'revision' }],
    },
  ],
  kinds: [usersById.kind],
});
