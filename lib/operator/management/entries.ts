import * as v from 'valibot';
import { record, reference } from '../../core/schema.ts';
import { accountsById, deriveUserId, toLogin } from '../../http/users/account.ts';
import type { ItemWrite } from '../../kit/entries/item-write.ts';
import { describeList, refer } from '../../kit/entries/list.ts';
import { inviteeKey } from './invitation.ts';
import { builtInRoles } from './role.ts';
import { projectUsers, user, userKey, usersById } from './user.ts';

type Entry = v.InferOutput<typeof user>;

const key = 'users';

const stored = v.object({
  projects: v.optional(record(reference), {}),
  roles: v.optional(record(reference), {}),
});

/** Adds the role in the project to the user of all projects. Containers check tokens by this item. */
function writeAccount({ role, ...person }: Entry, projectId: string): ItemWrite {
  const id = deriveUserId(person.email);
  return {
    key: accountsById(id),
    item: { ...person, id, login: toLogin(person.email) },
    places: (item) => ({ projects: { ...v.parse(stored, item).projects, [projectId]: role } }),
    counts: 'revision',
  };
}

/** Adds all users of the file to the users of the project. */
function writeProjectUsers(entries: readonly Entry[], projectId: string): ItemWrite {
  const roles = Object.fromEntries(entries.map(({ email, role }) => [deriveUserId(email), role]));
  return {
    key: projectUsers(projectId),
    item: {},
    places: (item) => ({ roles: { ...v.parse(stored, item).roles, ...roles } }),
    counts: 'revision',
  };
}

/** Lists the project's existing users. */
export const userEntries = describeList(key, user, {
  called: 'user',
  names: ['email'],
  // The same form as in `userKey`.
  spelt: toLogin,
  references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (entry, { projectId, file }) => {
    const entries = file.all(key);
    return [
      {
        key: userKey(projectId, entry.email),
        item: entry,
        // A running invitation that has not seen the new user is refused.
        counted: [{ key: inviteeKey(entry.email), attribute: 'revision' }],
      },
      writeAccount(entry, projectId),
      // All entries together are one item, which the first entry brings.
      ...(entries[0] === entry ? [writeProjectUsers(v.parse(v.array(user), entries), projectId)] : []),
    ];
  },
  kinds: [usersById.kind],
});
