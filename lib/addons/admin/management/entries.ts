import * as v from 'valibot';
import { accountsById, deriveUserId, toLogin } from '#kernel/access/users/account.ts';
import { record, reference } from '#kernel/core/schema.ts';
import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { describeList, refer } from '#kernel/kit/entries/list.ts';
import { inviteeKey } from './invitation.ts';
import { projectUser } from './members.ts';
import { builtInRoles } from './role.ts';
import { projectUsers, user, userKey, usersById } from './user.ts';

/** Replies list the role in each project, instead of the role in this project. */
const entry = v.object({
  ...user.entries,
  role: v.optional(user.entries.role),
  projects: v.optional(record(reference)),
});

type Entry = v.InferOutput<typeof user>;

const key = 'users';

const roleIn = ({ role, projects = {} }: v.InferOutput<typeof entry>, projectId: string) =>
  role ?? (Object.hasOwn(projects, projectId) ? projects[projectId] : undefined);

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
export const userEntries = describeList(key, entry, {
  called: 'user',
  names: ['email'],
  shown: projectUser,
  // The same form as in `userKey`.
  spelt: toLogin,
  *rules({ role, projects }) {
    if (!role && !projects) yield ' must have a role, or the projects of a reply';
  },
  references: ({ role }) => (role === undefined || builtInRoles.includes(role) ? [] : [refer('role', 'roles', role)]),
  items: (one, { projectId, place, file, missing }) => {
    const all = v.parse(v.array(entry), file.all(key)).flatMap(({ projects: _, ...person }, index) => {
      const role = roleIn({ ...person, projects: v.parse(entry, file.all(key)[index]).projects }, projectId);
      return role === undefined ? [] : [{ ...person, role }];
    });
    const own = all.find(({ email }) => email === one.email);
    if (!own) {
      missing(`${place} has no role in the project`);
      return [];
    }
    return [
      {
        key: userKey(projectId, own.email),
        item: own,
        // A running invitation that has not seen the new user is refused.
        counted: [{ key: inviteeKey(own.email), attribute: 'revision' }],
      },
      writeAccount(own, projectId),
      // All entries together are a single item, which the first entry adds.
      ...(all[0] === own ? [writeProjectUsers(all, projectId)] : []),
    ];
  },
  kinds: [usersById.kind],
});
