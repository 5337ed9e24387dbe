import * as v from 'valibot';
import { dateTime, identifier, nullable, object } from '../../core/schema.ts';
import { describeList, listAttributes } from '../../kit/entries/list.ts';
import { location, maxLocations } from './location.ts';
import { findShapeFaults } from './shape-faults.ts';

const own = object({
  id: v.optional(identifier),
  name: location.reply.entries.name,
  created_at: v.optional(dateTime),
  updated_at: nullable(dateTime),
});
const entry = object({ ...own.entries, shape: location.reply.entries.shape });

const key = location.fileKey;

export const locationEntries = describeList(key, entry, {
  called: location.name,
  names: ['id'],
  prefix: location.idPrefix,
  shown: location.reply,
  rules: ({ shape }) => findShapeFaults(shape),
  *against(_, file) {
    const { length } = file.all(key);
    if (length > maxLocations) yield ` is one of ${length} locations, and a project has at most ${maxLocations}`;
  },
  items({ shape, ...fields }, { id, projectId, now }) {
    const item = { ...listAttributes(own, fields), id, outline: shape, created_at: fields.created_at ?? now };
    return [{ key: location.few(projectId, id), item, once: ['created_at', 'updated_at'], counts: 'revision' }];
  },
  kinds: [location.few.kind],
  entries({ outline }, plain) {
    return [{ ...plain, shape: outline }];
  },
});
