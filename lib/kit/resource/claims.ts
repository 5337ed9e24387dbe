import { ServiceError } from '../../core/errors.ts';
import { change, type Effect, insert, remove as removal } from '../../table/effects.ts';
import type { Attributes } from '../../table/item.ts';
import type { Item, Resource } from './shape.ts';

/** Each value that no two of a resource may have is held by an item of its own. */

/** What holds a value that no two may have. */
export function claimOf(resource: Resource, projectId: string, field: string, value: unknown) {
  return resource.claim(projectId, field, String(value));
}

/** What a claim of it says: the id of a child does not say whose it is. */
function claimItemOf({ parent }: Resource, item: Item): Attributes {
  return { id: item.id, ...(parent ? { parent: item[parent.field] } : {}) };
}

/** Fields of which each value has a claim. */
export function claimedBy({ unique, parent }: Resource): readonly string[] {
  return parent ? [...unique, 'id'] : unique;
}

/** `binEntry`: of the one that has it, where that is in the bin. */
export function taken({ name }: Resource, field: string, value: unknown, binEntry?: unknown): ServiceError {
  return new ServiceError('duplicate_found', {
    details:
      binEntry === undefined
        ? `${field} is that of another ${name}`
        : `${field} is that of a ${name} in the bin; it is free when the entry ${binEntry} is deleted there`,
    resource: { id: String(value), type: name },
  });
}

/** Marks the claim of one that was archived and removed: nobody else gets the value. */
export function keepClaim(resource: Resource, projectId: string, field: string, value: unknown): Effect {
  return change(claimOf(resource, projectId, field, value), (update) => update.whenThere().set(['is_archived'], true));
}

function takenByArchived({ name }: Resource, field: string, value: unknown): ServiceError {
  const details = `${field} is that of an earlier ${name}, which was archived and removed`;
  return new ServiceError('duplicate_found', { details, resource: { id: String(value), type: name } });
}

/** Claims of what is unique in `after`, and the release of those of `before` that it no longer has. */
export function claims(
  resource: Resource,
  projectId: string,
  before: Item | undefined,
  after: Item | undefined,
): Effect[] {
  return claimedBy(resource).flatMap((field) => {
    const [old, next] = [before?.[field] ?? undefined, after?.[field] ?? undefined];
    if (old === next) return [];
    const claim = (value: unknown) => claimOf(resource, projectId, field, value);
    // Who creates one by a source id that others create at the same time changes what they have made; nobody changes what is in the bin.
    const isRetried = field === 'source_id' && resource.sourceId && before === undefined;
    return [
      ...(next === undefined || !after
        ? []
        : [
            insert(claim(next), claimItemOf(resource, after), (stored) => {
              if (stored?.is_archived) return takenByArchived(resource, field, next);
              if (isRetried && stored?.bin_entry === undefined) return undefined;
              return taken(resource, field, next, stored?.bin_entry);
            }),
          ]),
      ...(old === undefined ? [] : [removal(claim(old), (update) => update)]),
    ];
  });
}
