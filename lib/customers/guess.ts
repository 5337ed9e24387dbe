import type { Reading } from '../http/context.ts';

/** Whom a source id meant last in this container: what is theirs is read together with who they are, and taken where it was right. */
const seen = new WeakMap<object, Map<string, string>>();
const maxSeen = 10_000;

type Where = Pick<Reading, 'table' | 'project'>;

function nameOf({ table, project }: Where, sourceId: string): string {
  return [table.name, project.id, sourceId].join('\n');
}

export function guessedId(where: Where, sourceId: string): string | undefined {
  return seen.get(where.table.container)?.get(nameOf(where, sourceId));
}

export function sawCustomer(where: Where, sourceId: string, id: string): void {
  const known = seen.get(where.table.container) ?? new Map<string, string>();
  seen.set(where.table.container, known);
  if (known.size >= maxSeen) known.clear();
  known.set(nameOf(where, sourceId), id);
}
