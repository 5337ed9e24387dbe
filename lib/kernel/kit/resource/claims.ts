import { ServiceError } from '#kernel/core/errors.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect, insert, remove as removal } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Item, Resource, Values } from './shape.ts';

function isMetadata(value: unknown): value is Values | null {
  return typeof value === 'object';
}

/** Merges sent fields into the stored fields. `null` clears, and metadata merges by key. */
export function mergeSent(before: Values = {}, sent: Values): Values {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const stored = isMetadata(before.metadata) ? (before.metadata ?? {}) : {};
  const metadata = isMetadata(sent.metadata)
    ? { metadata: mergeMetadata({ place: 'metadata' }, stored, sent.metadata) }
    : {};
  const all = { ...before, ...Object.fromEntries(given), ...metadata };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Returns the schema of a resource's metadata. SKUs share the schema of products. */
export function findResourceSchema({ schemas }: Reading['project'], name: string) {
  return schemas(name === 'sku' ? 'product' : name);
}

/** Checks sent metadata, and the metadata of a new resource, by the schema of the resource. */
export function checkSchema(
  project: Reading['project'],
  resource: Resource,
  before: Item | undefined,
  after: Values,
  sent: Values,
) {
  if (before && sent.metadata === undefined) return;
  const metadata = ({ metadata }: Values) => (isMetadata(metadata) ? (metadata ?? {}) : {});
  const schema = findResourceSchema(project, resource.name);
  checkBySchema(schema, metadata(after), { place: 'metadata', before: before && metadata(before) });
}

/** Holds each unique value with a separate item. */

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

/** Returns the error for a value that is in use. `binEntry` names the entry if a deleted resource holds it. */
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
    // A request that creates a resource by a source id which others create simultaneously changes that resource. A
    // deleted resource stays unchanged.
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
