import * as v from 'valibot';
import { listedActivity } from '#engine/ledger/activities/activity.ts';
import { activities, customerActivities, placeActivities } from '#engine/ledger/activities/record-activities.ts';
import { deriveActivityId } from '#engine/ledger/entry-activities.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, readKinds } from '#kernel/table/keys.ts';
import { walkList } from '#kernel/table/listing.ts';
import { Update } from '#kernel/table/update.ts';
import { type Moving, setAttributes } from './moving.ts';

/** Moves the activities of a merged customer into the lists of the target. The items stay at their place, so that nothing counts twice. */

const atOnce = 25;
const listed = v.object({ listed: v.looseObject({ activities: v.pipe(v.array(listedActivity), v.minLength(1)) }) });
const entry = v.object({ id: v.string() });

/** Returns the lists' attributes of an activity, or of a ledger entry, which contains several activities. */
function placesFor(projectId: string, customerId: string, item: Attributes): Attributes {
  const { activities: all } = parseStored(listed, item).listed;
  const { id } = parseStored(entry, item);
  const [first, ...others] = all;
  if (!first) return {};
  const itemId = 'sequence' in item ? deriveActivityId({ id }) : id;
  const { listed: _, ...places } = placeActivities(projectId, customerId, itemId, [first, ...others]);
  return places;
}

/** Moves one item, unless it has moved already. Activities of the customer's own name the target from then on. */
function moveActivity({ context, from, to }: Moving, key: Key): Promise<true> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const [item] = await table.getMany([key]);
    if (!item) return true;
    const before = placesFor(project.id, from, item);
    const isLeft = Object.entries(before).every(([name, value]) => item[name] === value);
    if (!isLeft) return true;
    const update = setAttributes(new Update().whenThere(), placesFor(project.id, to, item));
    for (const [name, value] of Object.entries(before)) update.whenStill(name, value);
    if (readKinds(key).kind === activities.kind && v.is(ownActivity, item)) {
      update.set(['data', 'data', 'customer', 'id'], to);
    }
    return (await table.change(key, update.build())).done || again;
  });
}

const ownActivity = v.looseObject({
  data: v.looseObject({ data: v.looseObject({ customer: v.looseObject({ id: v.string() }) }) }),
});

/** Moves all activities. Returns the number of moves. `undefined`: the time is up. */
export async function moveActivities(moving: Moving): Promise<number | undefined> {
  const { context, from, isTimeUp } = moving;
  const { table, project } = context;
  let moved = 0;
  for await (const batch of splitIntoBatches(walkList(table, customerActivities, [project.id, from]), atOnce)) {
    if (isTimeUp()) return undefined;
    await Promise.all(batch.map(({ key }) => moveActivity(moving, key)));
    moved += batch.length;
  }
  return moved;
}
