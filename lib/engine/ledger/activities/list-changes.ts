import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, text } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import type { Resource } from '#kernel/kit/resource/shape.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { read, walkChildren } from '#kernel/table/read.ts';
import { activityItem } from './activity.ts';
import type { ResourceChanges } from './resource-changes.ts';

/** Describes the list of the activities of a resource itself. `name` is the element's in the document. */
export function listChanges<R extends Resource, T extends string>(
  { resource, shownAs, types, activities }: ResourceChanges<R, T>,
  name: string,
) {
  const element = named(
    name,
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
  return {
    list,
    /** Reads a page of the changes. Answers 400 for a cursor of another list. */
    readPage: async ({ table, project }: Reading, id: string, query: v.InferOutput<typeof list.query>) => {
      const { starting_after_id: behind, type } = query;
      const { cursor } = await read(table, {
        cursor: behind === undefined ? undefined : activities(project.id, id, behind),
      });
      if (behind !== undefined && !cursor) throw unknownCursor(`${resource.name} activity`);
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
