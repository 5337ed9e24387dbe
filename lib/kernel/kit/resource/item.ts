import { isDeepStrictEqual } from 'node:util';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, type Effect, insert, remove as removal } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';
import { noteResource, renewNoted } from '../offers/offer-notes.ts';
import { changeClaims, checkSchema, claimKey, duplicateFound, mergeSent } from './claims.ts';
import {
  type CountUpdate,
  type Item,
  placeItem,
  presentResource,
  type Resource,
  type ResourceUpdate,
  resourceKey,
  type Values,
} from './shape.ts';

/** Finds and writes one resource, with its places in lists. */

/** A name by which callers find a resource. */
export interface Names {
  readonly id?: string | undefined;
  readonly source_id?: string | undefined;
}

type Place = Pick<Reading, 'table' | 'project'>;

/** Finds a resource by its id, or by the caller's own id if the resource allows it. The id wins. A child of a deleted parent is missing. */
export async function findItem(
  { table, project }: Place,
  resource: Resource,
  { id, source_id }: Names,
): Promise<Item | undefined> {
  const { parent } = resource;
  const claimed = (field: string, value = '') =>
    value === '' ? undefined : claimKey(resource, project.id, field, value);
  const { item, byId, bySource } = await read(table, {
    item: parent || id === undefined ? undefined : resourceKey(resource, project.id, { id }),
    byId: parent && claimed('id', id),
    bySource: resource.sourceId ? claimed('source_id', source_id) : undefined,
  });
  const claim = byId ?? bySource;
  if (item || !claim) return item;
  const led = await read(table, {
    item: resourceKey(resource, project.id, { id: claim.id, ...(parent ? { [parent.field]: claim.parent } : {}) }),
    parent: parent && claim.parent ? resourceKey(parent.of(), project.id, { id: claim.parent }) : undefined,
  });
  return parent && !led.parent ? undefined : led.item;
}

/** Finds the parent that a path names. */
async function parentOf(context: Place, { parent }: Resource, name: string | undefined): Promise<Item | undefined> {
  return parent && name !== undefined ? itemOr404(context, parent.of(), name) : undefined;
}

function isOf({ parent }: Resource, item: Item, owner: Item | undefined): boolean {
  return !parent || !owner || item[parent.field] === owner.id;
}

/** Finds a resource by a name in a path. 404 if it is missing, or not a child of the named parent. */
export async function itemOr404(context: Place, resource: Resource, name: string, parentName?: string): Promise<Item> {
  const owner = await parentOf(context, resource, parentName);
  const item = await findItem(context, resource, { id: name, source_id: name });
  if (!item || !isOf(resource, item, owner)) throw notFound(resource.name, name);
  return item;
}

/** Returns the key of a child's parent. */
export function parentKey({ parent }: Resource, projectId: string, child: Item): ItemKey | undefined {
  return parent && resourceKey(parent.of(), projectId, { id: String(child[parent.field]) });
}

/** Counts the children of an existing parent, and resources whose number is limited. */
export function countResource(resource: Resource, projectId: string, item: Item, by: 1 | -1): Effect[] {
  const { parent, most, counter, name } = resource;
  const effects: Effect[] = [];
  const key = parentKey(resource, projectId, item);
  if (parent && key) {
    const count = (update: ResourceUpdate) => update.whenThere().add('children', by);
    effects.push(change(key, count, () => notFound(parent.of().name, String(item[parent.field]))));
  }
  if (most !== undefined) {
    const details = `a project has at most ${most} of the kind ${name}`;
    const count = (update: CountUpdate) => (by > 0 ? update.whenBelow('number', most) : update).add('number', by);
    effects.push(change(counter(projectId), count, () => new ServiceError('too_many_resources', { details })));
  }
  return effects;
}

/** Writes the fields that differ from the read item, with claims and places. 409 `duplicate_found` if a unique value is in use. */
export function writeItem(resource: Resource, projectId: string, before: Item | undefined, after: Item): Effect[] {
  const key = resourceKey(resource, projectId, after);
  const placing = placeItem(resource, projectId, after);
  const written: Attributes = { ...after, ...placing };
  const known: Values = before ?? {};
  const names = new Set([...Object.keys(known), ...Object.keys(written)]);
  const changing = (unchanged: ResourceUpdate) => {
    const update: Update = unchanged.whenThere().whenStill('revision', known.revision).add('revision', 1);
    for (const name of names) {
      if (name === 'revision') continue;
      if (!Object.hasOwn(placing, name) && isDeepStrictEqual(known[name], written[name])) continue;
      if (written[name] === undefined) update.remove([name]);
      else update.set([name], written[name]);
    }
    return update;
  };
  const isOfDeleted = (stored: Attributes | undefined) =>
    stored?.deleted_at === undefined ? undefined : duplicateFound(resource, 'id', after.id, stored.bin_entry);
  return [
    before ? change(key, changing) : insert(key, written, isOfDeleted),
    ...(resource.noted ? renewNoted(key, resource.noted, after.id) : []),
    ...changeClaims(resource, projectId, before, after),
  ];
}

/** The id and dates of a resource that comes from elsewhere. */
export interface Origin {
  readonly id?: string | undefined;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/**
 * Creates the resource, or changes the resource that was read. The id sorts by the time of creation. 409
 * `duplicate_found` if a unique value is in use, and 404 if the parent is missing.
 */
export function saveItem(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  resource: Resource,
  before: Item | undefined,
  sent: Values,
  origin: Origin = {},
): { after: Item; effects: Effect[] } {
  const at = now.toISOString();
  const made = {
    ...origin,
    id: origin.id ?? newPrefixedId(resource.idPrefix, now),
    created_at: origin.created_at ?? at,
  };
  const dated = before ? { id: before.id, updated_at: at } : made;
  const after: Item = { ...mergeSent(before, sent), ...dated };
  if (resource.fields.metadata) checkSchema(project, resource, before, after, sent);
  const counted = before ? [] : countResource(resource, project.id, after, 1);
  return { after, effects: [...writeItem(resource, project.id, before, after), ...counted] };
}

/** Commits the change. Returns `again` if another request was faster. */
async function saved(context: Reading, ...what: [Resource, Item | undefined, Values, Origin?]): Promise<Item | Again> {
  const { after, effects } = saveItem(context, ...what);
  return (await commit(context.table, effects)) ? after : again;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * Creates a resource, or changes the resource that the caller's own id names. 404 for an unknown id. `parentName` names
 * its parent, 404 if that is missing. `ifNew` are effects of the transaction that creates it.
 */
export async function createItem(
  context: Reading,
  resource: Resource,
  { id: known, ...sent }: Values,
  { parentName, ifNew = [] }: { parentName?: string | undefined; ifNew?: readonly Effect[] } = {},
): Promise<Item> {
  const owner = await parentOf(context, resource, parentName);
  const named = resource.sourceId ? { id: textOf(known), source_id: textOf(sent.source_id) } : {};
  const { id, source_id } = named;
  const values = { ...sent, ...(resource.parent && owner ? { [resource.parent.field]: owner.id } : {}) };
  return retryOptimistically(context.table, async () => {
    const before =
      (id ?? source_id) ? await findItem(context, resource, id === undefined ? { source_id } : { id }) : undefined;
    const isOwn = before && isOf(resource, before, owner);
    if (id !== undefined && !isOwn) throw notFound(resource.name, id);
    if (before && !isOwn) throw duplicateFound(resource, 'source_id', source_id);
    const { after, effects } = saveItem(context, resource, before, values);
    return (await commit(context.table, before ? effects : [...effects, ...ifNew])) ? after : again;
  });
}

interface Importing {
  readonly parentName?: string;
  readonly ages: Origin;
  /** Receives, before the commit, whether the resource is created or changed. */
  readonly tally: (counts: { created: number; changed: number }) => void;
}

/** Refuses a row that names two resources: a spreadsheet has changed one of the names, or sorted one column alone. */
function checkNames(resource: Resource, { id, source_id }: Names, before: Item): void {
  if (id !== before.id || !source_id || !before.source_id || before.source_id === source_id) return;
  throw new ServiceError('duplicate_found', {
    details: `id ${id} belongs to a ${resource.name} with another source_id: change the source_id by an update, or leave one of the two empty`,
    resource: { id, type: resource.name },
  });
}

/**
 * Makes a resource with its id and dates from elsewhere, or changes the resource with this id or source id. An equal
 * resource is not written. 409 if the id belongs to a deleted resource, or to a resource with a different source id.
 */
export async function importItem(
  context: Reading,
  resource: Resource,
  { id: sentId, ...sent }: Values,
  { parentName, ages, tally }: Importing,
): Promise<Item> {
  const owner = await parentOf(context, resource, parentName);
  const [id, source_id] = [textOf(sentId), textOf(sent.source_id)];
  const values = { ...sent, ...(resource.parent && owner ? { [resource.parent.field]: owner.id } : {}) };
  return retryOptimistically(context.table, async () => {
    const before = (id ?? source_id) ? await findItem(context, resource, { id, source_id }) : undefined;
    if (before && !isOf(resource, before, owner))
      throw duplicateFound(resource, id === before.id ? 'id' : 'source_id', id ?? source_id);
    if (before) checkNames(resource, { id, source_id }, before);
    const shown = (item: Values) => presentResource(resource, item);
    if (before && isDeepStrictEqual(shown(mergeSent(before, values)), shown(before))) return before;
    tally(before ? { created: 0, changed: 1 } : { created: 1, changed: 0 });
    return saved(context, resource, before, values, { ...ages, id });
  });
}

/** Changes a resource. 404 if it is missing. */
export function updateItem(
  context: Reading,
  resource: Resource,
  name: string,
  sent: Values,
  parentName?: string,
): Promise<Item> {
  return retryOptimistically(context.table, async () =>
    saved(context, resource, await itemOr404(context, resource, name, parentName), sent),
  );
}

/** Removes a resource and its claims if it is unchanged since the read. Children that are removed with their parent are not counted down. */
export function removeItem(resource: Resource, projectId: string, before: Item, { withParent = false } = {}): Effect[] {
  return [
    removal(resourceKey(resource, projectId, before), (update: ResourceUpdate) =>
      update.whenThere().whenStill('revision', before.revision).whenStill('children', before.children),
    ),
    ...(resource.noted ? noteResource(projectId, resource.noted, { id: before.id, version: undefined }) : []),
    ...changeClaims(resource, projectId, before, undefined),
    ...(withParent ? [] : countResource(resource, projectId, before, -1)),
  ];
}
