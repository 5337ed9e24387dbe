import type { Attributes } from '../table/item.ts';
import { placed, unplaced } from '../table/listing.ts';
import type { Item, Resource } from './shape.ts';

/** Its place in the list of an order. What has no value there stands by its creation. */
export function placeIn(order: string, item: Item): [place: string | number, id: string] {
  const value = item[order] ?? item.created_at;
  return [typeof value === 'number' ? value : String(value), item.id];
}

/** The attributes by which it stands in its lists. */
export function places({ listings, ofEach }: Resource, projectId: string, item: Item): Attributes {
  const { id, created_at } = item;
  const all = listings.map(({ order, listing }) => placed(listing, [projectId], placeIn(order, item)));
  const named = ofEach && item[ofEach.field];
  if (named) all.push(placed(ofEach.listing, [projectId, String(named)], [String(created_at), id]));
  else if (ofEach) all.push(unplaced(ofEach.listing));
  return Object.assign({}, ...all, listings.length > 0 ? { listed: { id, created_at } } : {});
}
