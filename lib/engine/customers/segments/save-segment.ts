import { isDeepStrictEqual } from 'node:util';
import type { Changing } from '#engine/ledger/activities/resource-changes.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import type { Writing } from '#kernel/http/context.ts';
import { itemOr404, removeItem, saveItem } from '#kernel/kit/resource/item.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, change, commit, type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { read } from '#kernel/table/read.ts';
import { recordChanges, segmentChanges } from './activities.ts';
import { startSegmentJob } from './jobs.ts';
import { divideIntoParts } from './member-parts.ts';
import {
  type CreateSegment,
  maxFiltered,
  putMembers,
  type Segment,
  segment,
  segmentGuards,
  type UpdateSegment,
} from './segment.ts';

/** The transaction of a static segment adds at most this many members. The stream's worker adds the others. */
const atOnce = 60;

/** Makes concurrent requests conflict if they add the last segments that a project may have. */
async function joinFiltered(context: Pick<Writing, 'table' | 'project'>, added = 1): Promise<Effect> {
  const { table, project } = context;
  const key = segmentGuards(project.id);
  const { guard } = await read(table, { guard: key });
  const filtered = (await readFew(context, segment)).filter(({ type }) => type !== 'static');
  if (filtered.length + added > maxFiltered) {
    throw new ServiceError('too_many_resources', {
      details: `a project has at most ${maxFiltered} segments with a filter: delete one first`,
    });
  }
  return change(key, (update) => update.whenStill('revision', guard?.revision).add('revision', 1));
}

/** Stores the parts of a static segment, with its first members. */
async function insertParts(context: Writing, item: Segment, named: readonly string[]): Promise<Effect[]> {
  const all = divideIntoParts(context.project.id, item.id, named);
  const first = all.flatMap((part) => part.item.customers).slice(0, atOnce);
  return [...all.map((part) => insert(part.key, part.item)), ...(await putMembers(context, item, first))];
}

/** Returns the new segments with a filter, and the effects that create them. Answers 400 if the project has too many. */
export async function planFilteredSegments(
  context: Changing & Pick<Writing, 'table'>,
  bodies: readonly Pick<Segment, 'name' | 'type' | 'filter'>[],
): Promise<{ made: Segment[]; effects: Effect[] }> {
  if (bodies.length === 0) return { made: [], effects: [] };
  const { project, now } = context;
  const made = bodies.map((body) => ({
    ...body,
    id: newPrefixedId(segment.idPrefix, now),
    created_at: now.toISOString(),
  }));
  const inserts = made.flatMap((item) => [
    insert(segment.few(project.id, item.id), item),
    ...recordChanges(context, item, [segmentChanges.created]),
  ]);
  return { made, effects: [...inserts, await joinFiltered(context, bodies.length)] };
}

/** Creates a segment. Answers 400 if the project has too many segments with a filter. A job finds the members of an auto-update segment. */
export async function createSegment(context: Writing, body: CreateSegment) {
  const { table, project, now } = context;
  const { name, type } = body;
  const item = { id: newPrefixedId(segment.idPrefix, now), name, type, created_at: now.toISOString() };
  return retryOptimistically(table, async () => {
    const stored = 'filter' in body ? { ...item, filter: body.filter } : item;
    const more = 'filter' in body ? [await joinFiltered(context)] : await insertParts(context, item, body.customers);
    const recorded = recordChanges(context, stored, [segmentChanges.created]);
    const effects = [insert(segment.few(project.id, item.id), stored), ...recorded, ...more];
    if (!canFitOneTransaction(effects)) {
      throw new ServiceError('invalid_payload', { details: 'customers must have at most 4 MB of ids' });
    }
    const done = await commit(table, effects).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make the segment');
    });
    return done ? presentResource(segment, stored) : again;
  });
}

/**
 * Changes the name or the filter of a passive segment, or answers 404. Answers 400 for a segment of another type,
 * because its members are kept or fixed. Customers belong to a passive segment by its filter alone, so the change is
 * complete immediately.
 */
export async function updateSegment(context: Writing, id: string, { type: _, ...body }: UpdateSegment) {
  const { table } = context;
  return retryOptimistically(table, async () => {
    const before = parseStored(segment.stored, await itemOr404(context, segment, id));
    if (before.type !== 'passive') {
      throw new ServiceError('invalid_payload', {
        details: `only a passive segment can be changed, and this segment is of the type ${before.type}: create another segment`,
        resource: { id, type: 'segment' },
      });
    }
    const { name = before.name, filter = before.filter } = body;
    const types = [
      ...(name === before.name ? [] : [segmentChanges.updated]),
      ...(isDeepStrictEqual(filter, before.filter) ? [] : [segmentChanges.filtersUpdated]),
    ];
    if (types.length === 0) return presentResource(segment, before);
    const { after, effects } = saveItem(context, segment, before, { name, filter });
    const recorded = recordChanges(context, parseStored(segment.stored, after), types);
    return (await commit(table, [...effects, ...recorded])) ? presentResource(segment, after) : again;
  });
}

/** Deletes a segment, or answers 404. A job deletes its members. */
export async function deleteSegment(context: Writing, id: string): Promise<void> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const item = await itemOr404(context, segment, id);
    const cleaning = startSegmentJob(project.id, 'delete-segment', id, now);
    const done = await commit(table, [...removeItem(segment, project.id, item), cleaning]);
    return done || again;
  });
}
