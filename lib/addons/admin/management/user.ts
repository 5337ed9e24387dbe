import * as v from 'valibot';
import { toLogin } from '#kernel/access/users/account.ts';
import { count, email, record, reference, shortText } from '#kernel/core/schema.ts';
import { type ItemKey, kind, projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';

/** A user as one project has it. Project files load and export it. */
export const user = v.object({ email, first_name: shortText, last_name: shortText, role: reference });

export const usersById = kind(kinds.user, user);

/** Returns the key of a user. Spellings of an address that differ only in case belong to the same user. */
export function userKey(projectId: string, email: string): ItemKey<typeof user> {
  return usersById(projectId, toLogin(email));
}

/** All users of a project. They are a single item, so that a condition on its revision guards the last owner. */
export const projectUsers = projectKind(
  kinds.projectUsers,
  v.object({
    /** The role of each user, by the user's id. */
    roles: record(reference),
    revision: v.optional(count),
  }),
);
