import { ServiceError } from '../../core/errors.ts';
import { timedId } from '../../core/ids.ts';
import type { Writing } from '../../http/context.ts';
import { found, removing } from '../../kit/resource/item.ts';
import { all } from '../../kit/resource/plain.ts';
import { present } from '../../kit/resource/shape.ts';
import { retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, type Effect, fitsOneTransaction, insert } from '../../table/effects.ts';
import { itemSizeTold } from '../../table/item-size.ts';
import { read } from '../../table/read.ts';
import { segmentJob } from './jobs.ts';
import { putMembers } from './member.ts';
import { partsOf } from './parts.ts';
import { type CreateSegment, guards, maxFiltered, type Segment, segment } from './segment.ts';

/** Members of a static segment who are in it at once, as far as its transaction has room; the stream's worker adds the others. */
const atOnce = 60;

/** What lets two who add the last segment at the same time see each other. */
async function joinFiltered(context: Writing): Promise<Effect> {
  const { table, project } = context;
  const key = guards(project.id);
  const { guard } = await read(table, { guard: key });
  const filtered = (await all(context, segment)).filter(({ type }) => type !== 'static');
  if (filtered.length >= maxFiltered) {
    throw new ServiceError('too_many_resources', {
      details: `a project has at most ${maxFiltered} segments with a filter: delete one first`,
    });
  }
  return change(key, (update) => update.whenStill('revision', guard?.revision).add('revision', 1));
}

/** The parts of a static segment, with its first members. */
async function listedIn(context: Writing, item: Segment, named: readonly string[]): Promise<Effect[]> {
  const all = partsOf(context.project.id, item.id, named);
  const first = all.flatMap((part) => part.item.customers).slice(0, atOnce);
  return [...all.map((part) => insert(part.key, part.item)), ...(await putMembers(context, item, first))];
}

/** 400 for one with a filter more than a project may have. Who meets the filter of an auto-update segment is found behind it. */
export async function createSegment(context: Writing, body: CreateSegment) {
  const { table, project, now } = context;
  const { name, type } = body;
  const item = { id: timedId(segment.idPrefix, now), name, type, created_at: now.toISOString() };
  return retryOptimistically(table, async () => {
    const stored = 'filter' in body ? { ...item, filter: body.filter } : item;
    const more = 'filter' in body ? [await joinFiltered(context)] : await listedIn(context, item, body.customers);
    const effects = [insert(segment.few(project.id, item.id), stored), ...more];
    if (!fitsOneTransaction(effects)) {
      throw new ServiceError('invalid_payload', { details: 'customers must have at most 4 MB of ids' });
    }
    const done = await commit(table, effects).catch((error: unknown) => {
      throw itemSizeTold(error, 'the body would make the segment');
    });
    return done ? present(segment, stored) : undefined;
  });
}

/** 404 where it is not there. Its members go behind it. */
export async function deleteSegment(context: Writing, id: string): Promise<void> {
  const { table, project, now } = context;
  await retryOptimistically(table, async () => {
    const item = await found(context, segment, id);
    const cleaning = segmentJob(project.id, 'delete-segment', id, now);
    const done = await commit(table, [...removing(segment, project.id, item), cleaning]);
    return done || undefined;
  });
}
