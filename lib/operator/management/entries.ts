import { list, refer } from '../../kit/entries/list.ts';
import { invitee } from './invitation.ts';
import { builtInRoles } from './role.ts';
import { user, userOf, usersById } from './user.ts';

/** Users that the project already has. */
export const users = list('users', user, {
  called: 'user',
  names: ['email'],
  // As `userOf` has it.
  spelt: (address) => address.toLowerCase(),
  references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (entry, { projectId }) => [
    {
      key: userOf(projectId, entry.email),
      item: entry,
      // Makes an invitation fail that is under way and has not seen the new user.
      counted: [{ key: invitee(entry.email), attribute: 'revision' }],
    },
  ],
  kinds: [usersById.kind],
});
