import type { Attributes } from '../../table/item.ts';
import { clearPlace, type ListIndex, type Listing, listIndexes, listing, placeInList } from '../../table/listing.ts';
import type { Item, ListOrder, Resource } from './shape.ts';

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
