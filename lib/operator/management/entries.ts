import { describeList, refer } from '../../kit/entries/list.ts';
import { inviteeKey } from './invitation.ts';
import { builtInRoles } from './role.ts';
import { user, userKey, usersById } from './user.ts';

/** Lists the project's existing users. */
export const userEntries = describeList('users', user, {
  called: 'user',
  names: ['email'],
  // The same form as in `userKey`.
  spelt: (address) => address.toLowerCase(),
  references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (entry, { projectId }) => [
    {
      key: userKey(projectId, entry.email),
      item: entry,
      // A running invitation that has not seen the new user is refused.
      counted: [{ key: inviteeKey(entry.email), attribute: 'revision' }],
    },
  ],
  kinds: [usersById.kind],
});
