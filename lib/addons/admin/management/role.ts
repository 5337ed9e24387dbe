import { roleNames } from '#kernel/access/users/roles.ts';

export const builtInRoles: readonly string[] = roleNames;

/** A role of the Areas and Stores feature. */
const restricted: string = 'USER_RESTRICTED' satisfies (typeof roleNames)[number];

/** Limits the characters of an unknown role in an error. */
const maxQuoted = 100;

/** Returns why the role cannot be given in a project, if it cannot. */
export function findRoleFault(
  role: string,
  project: { hasAreasAndStores: boolean; hasCustomRole: boolean },
): string | undefined {
  if (role === restricted) {
    return project.hasAreasAndStores
      ? undefined
      : `the role ${restricted} needs the Areas and Stores feature, which this project does not have`;
  }
  if (builtInRoles.includes(role) || project.hasCustomRole) return undefined;
  const named = role.length > maxQuoted ? `${role.slice(0, maxQuoted)}…` : role;
  return `the role ${JSON.stringify(named)} is neither one of ${roleNames.join(', ')} nor the id of a custom role of this project`;
}
