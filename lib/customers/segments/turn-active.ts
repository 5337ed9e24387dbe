import type { Reading } from '../../http/context.ts';
import { change, type Effect } from '../../table/effects.ts';
import { startSync } from './jobs.ts';
import { type Segment, segment } from './segment.ts';

/** Turns a passive segment active, if it has not changed since it was read. A job then keeps its members, before entries count. */
export function turnActive({ project, now }: Pick<Reading, 'project' | 'now'>, passive: Segment): Effect[] {
  const turning = now.toISOString();
  const turned = { ...passive, revision: (passive.revision ?? 0) + 1 };
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
    startSync(project.id, turned, now),
  ];
}
