import { object } from '#kernel/core/schema.ts';
import { datedEntry, describeList, keepDated } from '#kernel/kit/entries/list.ts';
import { location, maxLocations } from './location.ts';
import { findShapeFaults } from './shape-faults.ts';

const own = datedEntry({
  name: location.reply.entries.name,
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
  items({ shape, ...fields }, making) {
    const { item, once } = keepDated(own, fields, making);
    const stored = { ...item, outline: shape };
    return [{ key: location.few(making.projectId, making.id), item: stored, once, counts: 'revision' }];
  },
  kinds: [location.few.kind],
  entries({ outline }, plain) {
    return [{ ...plain, shape: outline }];
  },
});
