import type { Route } from '#kernel/http/route.ts';
import { operations } from '../operations.ts';

const callers: Readonly<Record<Route['authentication'], string>> = {
  server: 'app key, or a token with the scope',
  'app-key': 'app key',
  client: 'client key from one of its origins, or a token with the scope',
  management: 'a caller that the guard of `/management` admits',
  none: 'anyone',
};

/** Returns the resource in a path of `/v1`, or the side of the interface. */
function familyOf({ path }: Pick<Route, 'path'>): string {
  const [side = '', next = ''] = path.split('/').slice(1);
  return side === 'v1' ? next : side;
}

/** Counts the operations of each family. */
function writeFamilies(): string {
  const byFamily = Map.groupBy(operations, ({ route }) => familyOf(route));
  const rows = [...byFamily.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = rows.map(([family, members]) => `| ${family} | ${members.length} |\n`);
  return `| family | operations |\n|---|--:|\n${lines.join('')}| **all** | **${operations.length}** |\n`;
}

/** Writes a table of families, and a line of Markdown for each operation, by path. */
export function writeOperationsTable(): string {
  const rows = operations
    .toSorted(({ route: a }, { route: b }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ name, route: { method, path, summary, authentication, scope, serverKeys } }) => {
      const known = `${serverKeys ? 'app key, ' : ''}${callers[authentication]}`;
      const opening = scope ?? (authentication === 'server' ? 'api' : undefined);
      const who = opening === undefined ? known : `${known} \`${opening}\``;
      return `| \`${method} ${path}\` | ${summary} | ${who} | \`${name}\` |\n`;
    });
  return `${writeFamilies()}\n| request | what it does | who may | operation |\n|---|---|---|---|\n${rows.join('')}`;
}
