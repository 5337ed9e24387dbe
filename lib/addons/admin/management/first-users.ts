import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { array } from '#kernel/core/schema.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { Table } from '#kernel/table/table.ts';
import { type ProjectMember, readMember, userType } from './members.ts';
import { findRoleFault } from './role.ts';
import { checkLimits, giveFirstRoles } from './user-effects.ts';
import { addUserBody } from './users.ts';

/** The creation is a transaction of at most 100 items, and each user needs three. */
const maxFirstUsers = 25;

export const firstUsers = described(
  v.optional(array(addUserBody, maxFirstUsers), []),
  `Existing users that get a role in the project, at most ${maxFirstUsers}. Each has either id or login.`,
);

type FirstUsers = v.InferOutput<typeof firstUsers>;

/** Refuses roles that a new project does not have, such as custom roles and roles of features. */
export function checkFirstRoles(users: FirstUsers): void {
  const faults = users.flatMap(({ role }, index) => {
    const fault = findRoleFault(role, { hasAreasAndStores: false, hasCustomRole: false });
    return fault === undefined ? [] : [`users[${index}].role: ${fault}`];
  });
  if (faults.length > 0) throw new ServiceError('used_incorrect_role', { details: faults.join('; ') });
}

function refuseRepetition(index: number, { account }: ProjectMember): ServiceError {
  const details = `users[${index}] names the user ${account.login} again: send each user once`;
  return new ServiceError('invalid_payload', { details, resource: { id: account.id, type: userType } });
}

/** Reads the users, and plans their roles in the new project. */
export async function planFirstUsers(table: Table, projectId: string, users: FirstUsers): Promise<Effect[]> {
  const found = await Promise.all(
    users.map(async ({ id, login, role }) => {
      const name = id ?? login ?? '';
      const { member } = await readMember(table, projectId, name);
      if (!member) throw notFound(userType, name);
      checkLimits({ projectId, member, users: undefined });
      return { member, role };
    }),
  );
  const seen = new Set<string>();
  for (const [index, { member }] of found.entries()) {
    if (seen.has(member.account.id)) throw refuseRepetition(index, member);
    seen.add(member.account.id);
  }
  return giveFirstRoles(projectId, found);
}
