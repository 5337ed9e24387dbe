import type * as v from 'valibot';
import { listChanges } from '#engine/ledger/activities/list-changes.ts';
import { resourceChanges } from '#engine/ledger/activities/resource-changes.ts';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { segment } from './segment.ts';

/** Types of the activities of a segment. Entering and leaving it are activities of the customers. */
export const segmentChanges = {
  created: 'segment.created',
  updated: 'segment.updated',
  activated: 'segment.activated',
  filtersUpdated: 'segment.filters_updated',
} as const;

const changes = resourceChanges({
  resource: segment,
  parent: kinds.segment,
  kind: kinds.segmentActivity,
  shownAs: 'segment',
  types: Object.values(segmentChanges),
});

export const segmentActivities = changes.activities;
export const recordChanges = changes.record;

const shown = listChanges(changes, 'SegmentActivity');

export const segmentActivitiesListed = shown.list;

/** Lists the changes of a segment. 404 for a missing segment, and 400 for a cursor of another list. */
export async function listSegmentActivities(
  context: Reading,
  segmentId: string,
  query: v.InferOutput<typeof segmentActivitiesListed.query>,
) {
  const { id } = await itemOr404(context, segment, segmentId);
  return shown.readPage(context, id, query);
}
