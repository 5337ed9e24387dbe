import type { Reading } from '#kernel/http/context.ts';
import { makeBinEntry } from '#kernel/kit/bin/bin-entry.ts';
import type { Purge } from '#kernel/kit/bin/delete-bin-entry.ts';
import { bury, startChildDeletion } from '#kernel/kit/deletion/tombstone.ts';
import { changeClaims, claimKey } from '#kernel/kit/resource/claims.ts';
import { countResource } from '#kernel/kit/resource/item.ts';
import { type Item, type Resource, resourceKey } from '#kernel/kit/resource/shape.ts';
import { change, type Effect, removeFenced } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { product, sku } from './resource.ts';

/** Returns the display name, or else an id. */
function readName({ name, sku: size, source_id, id }: Item): string {
  return String(name ?? size ?? source_id ?? id);
}

/**
 * Moves an unchanged product or SKU to the bin, where reads do not find it. A claim that names the entry reserves its
 * source id.
 */
export function moveToBin(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  resource: typeof product | typeof sku,
  before: Item,
): Effect[] {
  const { name: resource_type, listings, unique, parent } = resource;
  const about = { resource_id: before.id, resource_type, resource_name: readName(before) };
  const resource_parent_id = parent ? String(before[parent.field]) : null;
  const { entryId, effect } = makeBinEntry(project.id, { ...about, resource_parent_id }, now);
  const lists = listings.map(({ listing }) => listing);
  const taken = unique.filter((field) => (before[field] ?? undefined) !== undefined);
  return [
    effect,
    change(resourceKey(resource, project.id, before), (update) =>
      bury(update, lists, now)
        .whenStill('revision', before.revision)
        .whenStill('children', before.children)
        .set(['bin_entry'], entryId),
    ),
    ...taken.map((field) =>
      change(claimKey(resource, project.id, field, before[field]), (update) =>
        update.whenThere().set(['bin_entry'], entryId),
      ),
    ),
    ...countResource(resource, project.id, before, -1),
  ];
}

function buildPurge(resource: Resource, placeOf: (entry: Parameters<Purge>[1]) => Item): Purge {
  return async ({ table, project, now }, entry) => {
    const key = resourceKey(resource, project.id, placeOf(entry));
    const [tombstone] = await table.getMany([key], { deletedToo: true });
    if (tombstone?.bin_entry !== entry.id) return [];
    const freed = changeClaims(resource, project.id, parseStored(resource.stored, tombstone), undefined);
    if (tombstone.deletion === undefined) {
      return [removeFenced(key, (update) => update.whenStill('bin_entry', entry.id), now), ...freed];
    }
    // A job may still be deleting its SKUs. That job ends with the tombstone.
    const { started, deletion } = startChildDeletion(project.id, { parent: 'product', id: entry.resource_id }, now);
    const passed = change(key, (update) =>
      update.whenStill('bin_entry', entry.id).set(['deletion'], deletion).remove(['bin_entry']),
    );
    return [passed, started, ...freed];
  };
}

export const purgeProduct = buildPurge(product, ({ resource_id }) => ({ id: resource_id }));

export const purgeSku = buildPurge(sku, ({ resource_id, resource_parent_id }) => ({
  id: resource_id,
  product_id: resource_parent_id,
}));
