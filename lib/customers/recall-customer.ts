import type { Reading } from '../http/context.ts';

/** Remembers the customer of a source id in this container. A request reads the customer at once, and checks the guess. */
const seen = new WeakMap<object, Map<string, string>>();
const maxSeen = 10_000;

type Where = Pick<Reading, 'table' | 'project'>;

function buildName({ table, project }: Where, sourceId: string): string {
  return [table.name, project.id, sourceId].join('\n');
}

export function recallCustomer(where: Where, sourceId: string): string | undefined {
  return seen.get(where.table.container)?.get(buildName(where, sourceId));
}

export function rememberCustomer(where: Where, sourceId: string, id: string): void {
  const known = seen.get(where.table.container) ?? new Map<string, string>();
  seen.set(where.table.container, known);
  if (known.size >= maxSeen) known.clear();
  known.set(buildName(where, sourceId), id);
}
