import type { Caller, Reading } from '#kernel/http/context.ts';
import { type Item, presentResource, type Resource } from '#kernel/kit/resource/shape.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { childKind } from '#kernel/table/kind.ts';
import { activityItem, newActivity, readOccasion } from './activity.ts';

/** The change's project, moment, and caller, if known. */
export type Changing = Pick<Reading, 'project' | 'now' | 'requestId'> & { readonly caller?: Caller };

interface Described<R extends Resource, T extends string> {
  readonly resource: R;
  /** The kind of the resource's own item, whose partition holds the activities. */
  readonly parent: string;
  readonly kind: string;
  /** The field of `data.data` that shows the resource. */
  readonly shownAs: string;
  readonly types: readonly T[];
}

/** Describes the activities of a resource itself, which record its changes. `listChanges` describes their list. */
export function resourceChanges<const R extends Resource, const T extends string>(it: Described<R, T>) {
  const { resource, parent, kind, shownAs } = it;
  const activities = childKind({ kind: parent }, kind, activityItem);
  return {
    ...it,
    activities,
    /** Records changes, with the state of the resource afterwards. */
    record: (context: Changing, after: Item, changed: readonly T[]): Effect[] => {
      const occasion = readOccasion(context);
      return changed.map((type) => {
        const item = newActivity(occasion, { type, data: { [shownAs]: presentResource(resource, after) } });
        return insert(activities(context.project.id, after.id, item.id), item);
      });
    },
  };
}

export type ResourceChanges<R extends Resource, T extends string> = ReturnType<typeof resourceChanges<R, T>>;
