import { ServiceError } from '../../core/errors.ts';
import { change, type Effect, insert, remove as removal } from '../../table/effects.ts';
import type { Attributes } from '../../table/item.ts';
import type { Item, Resource } from './shape.ts';

/** Holds each unique value by an item of its own. */

/** Returns the key of the item that holds a unique value. */
export function claimKey(resource: Resource, projectId: string, field: string, value: unknown) {
  return resource.claim(projectId, field, String(value));
}

/** Returns the content of a claim. The id of a child does not name its parent. */
function claimItemOf({ parent }: Resource, item: Item): Attributes {
  return { id: item.id, ...(parent ? { parent: item[parent.field] } : {}) };
}

/** Returns the fields with claims. */
export function listClaimedFields({ unique, parent }: Resource): readonly string[] {
  return parent ? [...unique, 'id'] : unique;
}

/** Returns the error of a taken value. `binEntry` names the entry if a deleted resource holds it. */
export function duplicateFound({ name }: Resource, field: string, value: unknown, binEntry?: unknown): ServiceError {
  return new ServiceError('duplicate_found', {
    details:
      binEntry === undefined
        ? `another ${name} has this ${field}`
        : `a ${name} in the bin has this ${field}: delete the entry ${binEntry} of the bin to free it`,
    resource: { id: String(value), type: name },
  });
}

/** Marks the claim of an archived and removed resource, so that its value stays in use. */
export function keepClaim(resource: Resource, projectId: string, field: string, value: unknown): Effect {
  return change(claimKey(resource, projectId, field, value), (update) => update.whenThere().set(['is_archived'], true));
}

function takenByArchived({ name }: Resource, field: string, value: unknown): ServiceError {
  const details = `an earlier ${name}, which was archived and removed, has this ${field}`;
  return new ServiceError('duplicate_found', { details, resource: { id: String(value), type: name } });
}

/** Claims the unique values in `after`, and releases values that only `before` has. */
export function changeClaims(
  resource: Resource,
  projectId: string,
  before: Item | undefined,
  after: Item | undefined,
): Effect[] {
  return listClaimedFields(resource).flatMap((field) => {
    const [old, next] = [before?.[field] ?? undefined, after?.[field] ?? undefined];
    if (old === next) return [];
    const claim = (value: unknown) => claimKey(resource, projectId, field, value);
    // A request that creates a resource by a source id which others create at the same time changes that resource. A deleted one stays
    // unchanged.
    const isRetried = field === 'source_id' && resource.sourceId && before === undefined;
    return [
      ...(next === undefined || !after
        ? []
        : [
            insert(claim(next), claimItemOf(resource, after), (stored) => {
              if (stored?.is_archived) return takenByArchived(resource, field, next);
              if (isRetried && stored?.bin_entry === undefined) return undefined;
              return duplicateFound(resource, field, next, stored?.bin_entry);
            }),
          ]),
      ...(old === undefined ? [] : [removal(claim(old), (update) => update)]),
    ];
  });
}
