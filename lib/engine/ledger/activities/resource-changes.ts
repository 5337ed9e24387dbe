import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, text } from '#kernel/core/schema.ts';
import type { Caller, Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { type Item, presentResource, type Resource } from '#kernel/kit/resource/shape.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { childKind } from '#kernel/table/kind.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { read, walkChildren } from '#kernel/table/read.ts';
import { activityItem, newActivity, readOccasion } from './activity.ts';

/** The change's project and moment, and its caller if it has one. */
export type Changing = Pick<Reading, 'project' | 'now' | 'requestId'> & { readonly caller?: Caller };

interface Described<R extends Resource, T extends string> {
  readonly resource: R;
  /** The kind of the resource's own item, whose partition holds the activities. */
  readonly parent: string;
  readonly kind: string;
  /** The name of the element in the document. */
  readonly schemaName: string;
  /** The field of `data.data` that shows the resource. */
  readonly shownAs: string;
  readonly types: readonly T[];
  /** Names the list in an error. */
  readonly words: string;
}

/** Describes the activities of a resource itself, which tell how it changed, with its list. */
export function resourceChanges<const R extends Resource, const T extends string>({
  resource,
  parent,
  kind,
  schemaName,
  shownAs,
  types,
  words,
}: Described<R, T>) {
  const activities = childKind({ kind: parent }, kind, activityItem);
  const element = named(
    schemaName,
    v.object({
      id: v.string(),
      type: v.picklist(types),
      data: v.object({
        data: v.object({ [shownAs]: resource.reply }),
        event_source: activityItem.entries.data.entries.event_source,
      }),
      created_at: dateTime,
      group_id: v.optional(v.string()),
    }),
  );
  const list = listed({
    key: 'data',
    element,
    paging: { ...limitQuery, ...cursorQuery },
    orders: ['created_at'],
    byDefault: '-created_at',
    orderWords: '`created_at` lists the oldest activity first. `-created_at` lists the newest first.',
    parameters: { type: described(v.optional(text), 'Only activities of this type.') },
    place: moreEntries,
  });
  type Query = v.InferOutput<typeof list.query>;
  return {
    activities,
    list,
    /** Records changes, with the state of the resource afterwards. */
    record: (context: Changing, after: Item, changed: readonly T[]): Effect[] => {
      const occasion = readOccasion(context);
      return changed.map((type) => {
        const item = newActivity(occasion, { type, data: { [shownAs]: presentResource(resource, after) } });
        return insert(activities(context.project.id, after.id, item.id), item);
      });
    },
    /** Reads a page of the changes. Answers 400 for a cursor of another list. */
    readPage: async ({ table, project }: Reading, id: string, query: Query) => {
      const { starting_after_id: behind, type } = query;
      const { cursor } = await read(table, {
        cursor: behind === undefined ? undefined : activities(project.id, id, behind),
      });
      if (behind !== undefined && !cursor) throw unknownCursor(words);
      const { page, next } = await readFilteredPage(
        (range) => walkChildren(table, activities, [project.id, id], range),
        {
          ...list.wanted(query),
          behind,
          matches: type === undefined ? undefined : async (batch) => batch.map((one) => one.type === type),
        },
      );
      return list.show(
        page.map((one) => v.parse(element, one)),
        presentMore(next?.id),
      );
    },
  };
}
