import * as v from 'valibot';
import { activityItem, newActivity, readOccasion } from '#engine/ledger/activities/activity.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, text } from '#kernel/core/schema.ts';
import type { Caller, Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { read, walkChildren } from '#kernel/table/read.ts';
import { type Segment, segment } from './segment.ts';

/** Types of the activities of a segment. Customers have activities of their own about entering and leaving it. */
export const segmentChanges = {
  created: 'segment.created',
  updated: 'segment.updated',
  activated: 'segment.activated',
  filtersUpdated: 'segment.filters_updated',
} as const;

export const segmentActivities = childKind({ kind: kinds.segment }, kinds.segmentActivity, activityItem);

/** The change's project and moment, and its caller if it has one. */
export type Changing = Pick<Reading, 'project' | 'now'> & { readonly caller?: Caller };

/** Records changes of a segment, with the state of the segment afterwards. */
export function recordChanges(
  context: Changing,
  after: Segment,
  types: readonly (typeof segmentChanges)[keyof typeof segmentChanges][],
): Effect[] {
  const occasion = readOccasion(context);
  return types.map((type) => {
    const item = newActivity(occasion, { type, data: { segment: presentResource(segment, after) } });
    return insert(segmentActivities(context.project.id, after.id, item.id), item);
  });
}

const segmentActivity = named(
  'SegmentActivity',
  v.object({
    id: v.string(),
    type: v.picklist(Object.values(segmentChanges)),
    data: v.object({
      data: v.object({ segment: segment.reply }),
      event_source: activityItem.entries.data.entries.event_source,
    }),
    created_at: dateTime,
    group_id: v.optional(v.string()),
  }),
);

export const segmentActivitiesListed = listed({
  key: 'data',
  element: segmentActivity,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['created_at'],
  byDefault: '-created_at',
  orderWords: '`created_at` lists the oldest activity first. `-created_at` lists the newest first.',
  parameters: { type: described(v.optional(text), 'Only activities of this type.') },
  place: moreEntries,
});

/** Lists the changes of a segment. 404 for a missing segment, and 400 for a cursor of another list. */
export async function listSegmentActivities(
  context: Reading,
  segmentId: string,
  query: v.InferOutput<typeof segmentActivitiesListed.query>,
) {
  const { table, project } = context;
  const { id } = await itemOr404(context, segment, segmentId);
  const { starting_after_id: behind, type } = query;
  const { cursor } = await read(table, {
    cursor: behind === undefined ? undefined : segmentActivities(project.id, id, behind),
  });
  if (behind !== undefined && !cursor) throw unknownCursor('segment activity');
  const { page, next } = await readFilteredPage(
    (range) => walkChildren(table, segmentActivities, [project.id, id], range),
    {
      ...segmentActivitiesListed.wanted(query),
      behind,
      matches: type === undefined ? undefined : async (batch) => batch.map((one) => one.type === type),
    },
  );
  return segmentActivitiesListed.show(
    page.map((one) => v.parse(segmentActivity, one)),
    presentMore(next?.id),
  );
}
