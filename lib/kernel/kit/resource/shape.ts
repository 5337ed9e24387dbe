import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { cursorQuery, optionalLimit, type Page, pageQuery, sentBound } from '#kernel/http/page.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ChildKind, ItemKey, Kind } from '#kernel/table/kind.ts';
import { clearPlace, type ListIndex, type Listing, listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';
import type { FilterFields } from '../filters/fields.ts';
import { type Filter, filterQuery } from '../filters/filter.ts';
import type { NotedKind } from '../offers/offer-notes.ts';

const dates = {
  start_date: described(v.optional(sentBound), 'Only what was created at this moment or later.'),
  end_date: described(
    v.optional(sentBound),
    'Only what was created at this moment or earlier. A day counts to its end.',
  ),
};

interface Listed {
  readonly dated?: boolean;
  readonly filters?: FilterFields<Item>;
}

/** Returns the parameters of a list in these orders. */
export function buildListQuery(orders: readonly ListOrder[], { dated = false, filters }: Listed) {
  const values = orders.flatMap((order) => [order, `-${order}`]);
  const order = described(v.optional(v.picklist(values)), 'The field to sort by. A leading dash means descending.');
  const more: object = {
    ...(dated ? dates : {}),
    ...(filters ? { ...cursorQuery, filters: v.optional(filterQuery(filters)) } : {}),
  };
  return v.object({ ...pageQuery, limit: optionalLimit, order, ...more });
}

const orderIndexes: readonly ListIndex[] = Object.values(listIndexes);

/** Returns a list for each order, each in its own index. */
export function declareListings(
  kindName: string,
  orders: readonly ListOrder[],
  shards = 1,
): { order: ListOrder; listing: Listing }[] {
  return orders.map((order, index) => {
    const name = orderIndexes[index];
    if (!name) throw new Error(`a list has at most ${orderIndexes.length} indexed orders`);
    const counted = index === 0;
    return { order, listing: listing(name, `${kindName}_BY_${order.toUpperCase()}`, { counted, shards }) };
  });
}

/** Returns the lists of resources that name the same resource in this field. */
export function declareListingOfEach(kindName: string, field: string): { field: string; listing: Listing } {
  return { field, listing: listing(listIndexes.third, `${kindName}_OF_EACH`) };
}

/** Returns the place in an order. A resource without a value sorts by its creation. */
export function placeItemIn(order: string, item: Item): [place: string | number, id: string] {
  const value = item[order] ?? item.created_at;
  return [typeof value === 'number' ? value : String(value), item.id];
}

/** Returns the attributes that put the resource into its lists. */
export function placeItem({ listings, ofEach }: Resource, projectId: string, item: Item): Attributes {
  const { id, created_at } = item;
  const all = listings.map(({ order, listing }) => placeInList(listing, [projectId], placeItemIn(order, item)));
  const named = ofEach && item[ofEach.field];
  if (named) all.push(placeInList(ofEach.listing, [projectId, String(named)], [String(created_at), id]));
  else if (ofEach) all.push(clearPlace(ofEach.listing));
  return Object.assign({}, ...all, listings.length > 0 ? { listed: { id, created_at } } : {});
}

export type Schema = v.GenericSchema;

/** A field of a resource: its schema, and whether a body must send it. */
interface Field<S extends Schema = Schema> {
  readonly schema: S;
  readonly required: boolean;
  /** The default of an entry in a project file. Without it, entries must have required fields. */
  readonly leftOut?: unknown;
  /** The list of project files whose resource the field names, such as `products`. The loader refuses unknown ids. */
  readonly refers?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** Fields by which a list can be ordered. A leading dash means descending. The first is the default, newest first. */
export type ListOrder = 'created_at' | 'updated_at' | (string & {});

/** The parent of a resource. Children share the partition of their parent, which counts them. */
export interface Parent {
  /** The field with the parent's id. Bodies do not contain it, because the path names the parent. */
  readonly field: string;
  /** Returns the parent's description. It is a function because a parent may show its children. */
  readonly of: () => Resource;
}

/** Yields faults of an entry in a project file with valid fields: `field rule`. */
export type ResourceRules = (entry: Values) => Iterable<string>;

/** The target of a claim. For a child it also names the parent. */
export const claimItem = v.object({ id: v.string(), parent: v.optional(v.string()) });

export const countItem = v.object({ number: v.optional(v.number(), 0) });

export type CountUpdate = Update<typeof countItem>;

export interface ListQuery extends Pick<Page, 'page'> {
  readonly limit?: number | undefined;
  readonly order?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly starting_after_id?: string | undefined;
  readonly filters?: Filter | undefined;
}

type Shape = v.GenericSchema<unknown, Values>;

/** The values of fields by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** A stored resource. */
export type Item = Values & { readonly id: string };

/** Every kind of resource counts its changes, and a parent its children. */
interface Counted {
  readonly revision?: number | undefined;
  readonly children?: number | undefined;
}

/** A change of a stored resource. */
export type ResourceUpdate = Update<Counted>;

/** The ids that lead to the parent, if the resource has a parent. */
export type IdsTo<P extends Parent | undefined> = P extends Parent ? [parentId: string] : [];

interface Placed<P extends Parent | undefined> {
  readonly parent: P;
  readonly few: ChildKind<StoredSchema, IdsTo<P>>;
}

type StoredSchema = v.GenericSchema<Counted, Item>;

/** A description with any fields. The use cases of all plain resources work on it. */
export type Resource = RootResource | (Described & Placed<Parent>);

/** A description of a resource without a parent. Only such resources have a list of the project's own. */
export type RootResource = Described & Placed<undefined>;

interface Described {
  readonly name: string;
  readonly idPrefix: string;
  readonly fields: Fields;
  readonly unique: readonly string[];
  readonly sourceId: boolean;
  readonly empty: Readonly<Record<string, unknown>>;
  readonly most: number | undefined;
  readonly number: 'few' | 'many';
  readonly orders: readonly ListOrder[];
  readonly dataRef: string;
  readonly fileKey: string;
  readonly rules: ResourceRules | undefined;
  readonly loadedOnce: boolean;
  readonly noted: NotedKind | undefined;
  readonly unlimited: number;
  readonly filters: FilterFields<Item> | undefined;
  readonly stored: StoredSchema;
  readonly reply: Shape;
  /** Turns a reply into the form of an entry in a project file. */
  readonly fromReply?: (reply: Values) => Values;
  readonly fileEntry: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly listReply: Shape;
  readonly createBody: Schema;
  readonly updateBody: Schema;
  readonly many: Kind<StoredSchema>;
  readonly claim: Kind<typeof claimItem, [field: string, value: string]>;
  readonly counter: Kind<typeof countItem, []>;
  readonly listings: readonly { readonly order: ListOrder; readonly listing: Listing }[];
  readonly ofEach: { readonly field: string; readonly listing: Listing } | undefined;
}

/** Returns the key of a resource. `item` has its id, and a child its parent's. */
export function resourceKey(resource: Resource, projectId: string, item: Item): ItemKey<StoredSchema> {
  if (resource.parent) return resource.few(projectId, String(item[resource.parent.field]), item.id);
  return resource.number === 'few' ? resource.few(projectId, item.id) : resource.many(projectId, item.id);
}

/** Shows a resource as in replies. */
export function presentResource<R extends Pick<Resource, 'name' | 'reply' | 'empty'>>(
  { name, reply, empty }: R,
  item: Values,
): v.InferOutput<R['reply']> {
  return v.parse(reply, { ...empty, ...item, object: name });
}
