import { describeList, type FileList, listAttributes, refer } from '#kernel/kit/entries/list.ts';
import { claimKey, listClaimedFields } from '#kernel/kit/resource/claims.ts';
import { parentKey } from '#kernel/kit/resource/item.ts';
import { placeItem, type Resource, resourceKey } from '#kernel/kit/resource/shape.ts';

/** Derives the list of a resource in project files from its description. */
export function describeResourceList(resource: Resource): FileList {
  const { name, fileKey, fileEntry, fields, unique, number, parent, rules, noted, most, fromReply } = resource;
  const nameOf = (entry: object, id: string) =>
    String(Object.entries(entry).find(([field]) => field === unique[0])?.[1] ?? id);
  const isDated = 'created_at' in fileEntry.entries;
  return describeList(fileKey, fileEntry, {
    called: name.replaceAll('_', ' '),
    number,
    ...(most === undefined ? {} : { most }),
    // Parents count their children, and must exist before them.
    ...(parent ? { stage: 3 } : {}),
    ...(rules ? { rules } : {}),
    ...(fromReply ? { fromReply } : {}),
    names: ['id', ...unique],
    prefix: resource.idPrefix,
    unique: listClaimedFields(resource).map((field) => ({
      field,
      claim: (projectId, value) => claimKey(resource, projectId, field, value),
      holds: 'id',
      also: parent && { attribute: 'parent', field: parent.field },
      // An id never passes to another entry, unlike other unique values.
      passes: field !== 'id',
    })),
    shown: resource.reply,
    references: (entry) =>
      Object.entries(fields).map(([field, { refers = '' }]) => {
        const value = entry[field];
        return refers === '' || typeof value !== 'string' ? [] : refer(field, refers, value, ['id']);
      }),
    items(entry, { id, projectId, now }) {
      const item = {
        ...listAttributes(fileEntry, entry),
        id,
        ...(isDated ? { created_at: entry.created_at ?? now } : {}),
      };
      const counter = { key: resource.counter(projectId), attribute: 'number' };
      const owner = parentKey(resource, projectId, item);
      return [
        {
          key: resourceKey(resource, projectId, item),
          item,
          once: resource.loadedOnce ? Object.keys(item) : ['created_at', 'updated_at'],
          places: (stored) => placeItem(resource, projectId, { ...stored, id }),
          counts: 'revision',
          ...(noted ? { noted: { projectId, what: noted, id } } : {}),
          counted: [
            ...(owner ? [{ key: owner, attribute: 'children', ofItem: true as const }] : []),
            ...(most === undefined ? [] : [{ ...counter, limit: { most, list: fileKey, name: nameOf(entry, id) } }]),
          ],
        },
      ];
    },
    kinds: [resource.few.kind],
  });
}
