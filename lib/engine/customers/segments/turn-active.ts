import type { Changing } from '#engine/ledger/activities/resource-changes.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { recordChanges, segmentChanges } from './activities.ts';
import { startSync } from './jobs.ts';
import { type Segment, segment } from './segment.ts';

/** Turns a passive segment active, if it has not changed since it was read. A job then keeps its members, before entries count. */
export function turnActive(context: Changing, passive: Segment): Effect[] {
  const { project, now } = context;
  const turning = now.toISOString();
  const turned: Segment = {
    ...passive,
    type: 'auto-update',
    updated_at: turning,
    revision: (passive.revision ?? 0) + 1,
  };
  return [
    change(segment.few(project.id, passive.id), (update) =>
      update
        .whenStill('type', 'passive')
        .whenStill('revision', passive.revision)
        .set(['type'], 'auto-update')
        .set(['turning'], turning)
        .set(['turned_at'], turning)
        .set(['updated_at'], turning)
        .add('revision', 1),
    ),
    ...recordChanges(context, turned, [segmentChanges.activated]),
    startSync(project.id, turned, now),
  ];
}
