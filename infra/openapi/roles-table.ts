import { scopeNames } from '#kernel/access/scopes.ts';
import { findRight, type Right, type RoleFamily, roleNames } from '#kernel/access/users/roles.ts';

const words: Readonly<Record<Right, string>> = { none: 'no', read: 'reads', write: 'reads and writes' };

/** Any text that does not name a built-in role represents custom roles. */
const columns = [...roleNames, 'a custom role'];

function isFamily(scope: (typeof scopeNames)[number]): scope is (typeof scopeNames)[number] & RoleFamily {
  return scope !== 'api' && !scope.startsWith('client_');
}

/** Writes a table of roles and families. Families with the same rights share a line. */
export function writeRolesTable(): string {
  const families: RoleFamily[] = [...scopeNames.filter(isFamily), 'management'];
  const rightsTo = (family: RoleFamily) => columns.map((role) => words[findRight(role, family)]).join(' | ');
  const rows = [...Map.groupBy(families, rightsTo)].map(([rights, some]) => `| ${some.join(', ')} | ${rights} |\n`);
  return `| paths of | ${columns.join(' | ')} |\n|---|${'---|'.repeat(columns.length)}\n${rows.join('')}`;
}
