import { findUnserved } from '../../lib/http/public-surface.ts';
import type { Route } from '../../lib/http/route.ts';
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

/** Counts the served operations of each family, and the missing operations of the public interface. */
function writeFamilies(): string {
  const served = operations.map(({ route }) => route);
  const missing = findUnserved(served);
  const families = [...new Set([...served, ...missing].map(familyOf))].toSorted();
  const among = (lines: readonly Pick<Route, 'path'>[], family: string) =>
    lines.filter((line) => familyOf(line) === family).length;
  const rows = families.map((family) => `| ${family} | ${among(served, family)} | ${among(missing, family)} |\n`);
  const total = `| **all** | **${served.length}** | **${missing.length}** |\n`;
  return `| family | served | missing |\n|---|--:|--:|\n${rows.join('')}${total}`;
}

/** Writes a table of families, and a line of Markdown for each operation, by path. */
export function writeOperationsTable(): string {
  const rows = operations
    .toSorted(({ route: a }, { route: b }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ name, route: { method, path, summary, authentication, scope, serverKeys } }) => {
      const known = `${serverKeys ? 'app key, ' : ''}${callers[authentication]}`;
      const who = scope === undefined ? known : `${known} \`${scope}\``;
      return `| \`${method} ${path}\` | ${summary} | ${who} | \`${name}\` |\n`;
    });
  return `${writeFamilies()}\n| request | what it does | who may | operation |\n|---|---|---|---|\n${rows.join('')}`;
}
