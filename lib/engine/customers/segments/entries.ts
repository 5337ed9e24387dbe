import * as v from 'valibot';
import { segmentEntered } from '#engine/ledger/earning-events.ts';
import { array, identifier, object } from '#kernel/core/schema.ts';
import { datedEntry, describeList, keepDated } from '#kernel/kit/entries/list.ts';
import type { HeldEntries } from '#kernel/kit/entries/traits.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { divideIntoParts, maxSegmentParts, partKey, parts } from './member-parts.ts';
import { maxFiltered, maxStaticMembers, segment } from './segment.ts';

const { name, type, filter } = segment.stored.entries;
const own = datedEntry({
  name,
  type,
  filter,
});
const entry = object({
  ...own.entries,
  customers: v.optional(array(identifier, maxStaticMembers, 'customers')),
});

const key = segment.fileKey;

const entryRule = v.object({ event: v.literal(segmentEntered), segment: v.object({ id: v.string() }) });

/** Returns whether an earning rule of the file waits for entries into the segment. */
function isNamed(file: HeldEntries, id: string): boolean {
  return file.all('earning_rules').some((rule) => v.is(entryRule, rule) && rule.segment.id === id);
}

/** Returns the type of a segment that the file calls passive. A rule makes it active, and it remains active. */
function passiveOr(item: Attributes, turnsAt: string | undefined): Attributes {
  if (item.type === 'auto-update' && (turnsAt ?? item.turned_at) !== undefined) return {};
  if (turnsAt === undefined) return { type: 'passive' };
  return { type: 'auto-update', turning: turnsAt, turned_at: turnsAt };
}

/** Loads segments after customers, because members must exist. */
export const segmentEntries = describeList(key, entry, {
  called: segment.name,
  stage: 3,
  names: ['id'],
  prefix: segment.idPrefix,
  shown: segment.reply,
  *rules({ type, filter, customers }) {
    if (type === 'static' ? customers === undefined : !filter) {
      yield `${type === 'static' ? 'customers' : 'filter'} is required if type is ${type}`;
    }
    if (type === 'static' ? filter : customers) {
      yield `${type === 'static' ? 'filter' : 'customers'} must be left out if type is ${type}`;
    }
  },
  *against({ type }, file) {
    const filtered = file.all(key).filter((one) => one.type !== 'static').length;
    if (type !== 'static' && filtered > maxFiltered)
      yield ` is one of ${filtered} segments with a filter, and a project has at most ${maxFiltered}`;
  },
  items({ customers = [], ...fields }, making) {
    const { id, projectId, now, file } = making;
    const { item, once } = keepDated(own, fields, making);
    const turnsAt = isNamed(file, id) ? now : undefined;
    // The stream reports the turned segment, and its job keeps the members.
    const ofType =
      fields.type === 'passive'
        ? { once: [...once, 'type'], places: (whole: Attributes) => passiveOr(whole, turnsAt) }
        : { once };
    return [
      { key: segment.few(projectId, id), item, ...ofType, counts: 'revision' },
      ...divideIntoParts(projectId, id, customers).map((part) => ({ ...part, once: [] })),
    ];
  },
  kinds: [segment.few.kind],
  needs: ({ id, type }, projectId) =>
    type === 'static'
      ? Array.from({ length: maxSegmentParts }, (_, index) => partKey(projectId, String(id), index))
      : [],
  entries({ id, type }, plain, { projectId, at }) {
    if (type !== 'static') return [plain];
    const found = Array.from({ length: maxSegmentParts }, (_, index) => at(partKey(projectId, String(id), index)));
    return [{ ...plain, customers: found.flatMap((part) => (part ? parseStored(parts.schema, part).customers : [])) }];
  },
});
