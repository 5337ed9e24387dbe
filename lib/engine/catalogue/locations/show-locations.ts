import * as v from 'valibot';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { listItems, wrapResources } from '#kernel/kit/resource/operations.ts';
import type { Item } from '#kernel/kit/resource/shape.ts';
import { location } from './location.ts';

function showLocation({ outline, updated_at = null, ...fields }: Item): v.InferOutput<typeof location.reply> {
  return v.parse(location.reply, { ...fields, shape: outline, updated_at, object: location.name });
}

/** Returns a location, or answers 404. */
export async function getLocation(context: Reading, id: string): Promise<v.InferOutput<typeof location.reply>> {
  return showLocation(await itemOr404(context, location, id));
}

/** Lists a page of the locations, the newest first by default. */
export async function listLocations(
  context: Reading,
  query: v.InferOutput<typeof location.listQuery>,
): Promise<v.InferOutput<typeof location.listReply>> {
  const { items, ...place } = await listItems(context, location, query);
  return wrapResources(location, items.map(showLocation), place);
}
