import { location, readAreas } from '#engine/catalogue/locations/location.ts';
import { activityTypes, type Occasion, readOccasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { isCustomer, isLocation, isPart, isSegment } from '#kernel/kit/jobs/changes.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commitApart, type Effect, insert, remove } from '#kernel/table/effects.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import { type Key, readProjectId } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { type CustomerItem, customers } from '../customer.ts';
import { readCustomers } from '../find-customer.ts';
import { startSegmentJob, startSync } from './jobs.ts';
import { keepSilently, wasInBefore } from './keep-members.ts';
import { buildSubject, listSegmentLocations, matchSegments } from './match-segments.ts';
import { maxSegmentParts, partKey, parts } from './member-parts.ts';
import { memberAttributes, memberKey, putMembers, readMembers, type Segment, segment } from './segment.ts';

/**
 * A single transaction moves a customer into or out of at most this many segments. Each move needs at most three items.
 */
const maxMoves = 30;

interface Move {
  segment: Segment;
  enters: boolean;
}

/** Returns the segments in which the kept membership differs from the filter's result. */
function findMoves(segments: readonly Segment[], keptIn: ReadonlySet<string>, isIn: ReadonlySet<string>): Move[] {
  return segments
    .filter(({ id }) => keptIn.has(id) !== isIn.has(id))
    .map((one) => ({ segment: one, enters: isIn.has(one.id) }));
}

/** Moves the customer and records it. The write is refused if it has happened before, or if the customer is deleted. */
function buildMove(
  { project }: Reading,
  { id, created_at }: { id: string; created_at: string },
  { segment: { id: segment_id, name, type }, enters }: Move,
  occasion: Occasion,
): Effect[] {
  const member = { customer_id: id, segment_id, type };
  const key = memberKey(project.id, member);
  const happening = {
    type: enters ? activityTypes.segmentEntered : activityTypes.segmentLeft,
    data: { segment: { id: segment_id, name, object: 'segment' } },
  };
  return [
    enters
      ? insert(key, memberAttributes(project.id, member, created_at))
      : remove(key, (update) => update.whenThere()),
    check(customers(project.id, id), (update) => update.whenStill('deleted_at', undefined)),
    ...recordActivity(project.id, id, occasion, happening),
  ];
}

/**
 * Returns the points that a customer earns by entering a segment, or `again` if the caller must call it again. Segments
 * do not depend on points.
 */
export type EarnedByEntering = (
  context: Reading,
  customer: CustomerItem,
  segment: { readonly id: string; readonly name: string },
  occasion: Occasion,
) => Promise<Effect[] | Again>;

/** Returns the effects of the first moves, as many as fit together. A move that earns something is committed by itself. */
async function takeMoves(
  context: Reading,
  { item }: { item: CustomerItem },
  moves: readonly Move[],
  occasion: Occasion,
  earnedByEntering: EarnedByEntering,
): Promise<Effect[] | Again> {
  const effects: Effect[] = [];
  for (const move of moves.slice(0, maxMoves)) {
    if (move.enters && wasInBefore(move.segment, item)) {
      effects.push(...keepSilently(context, item, move.segment));
      continue;
    }
    const earned = move.enters ? await earnedByEntering(context, item, move.segment, occasion) : [];
    if (earned === again) return again;
    const own = buildMove(context, item, move, occasion);
    if (earned.length > 0) return effects.length > 0 ? effects : [...own, ...earned];
    effects.push(...own);
  }
  return effects;
}

const keptFollowed = new Kept<readonly Segment[]>();

/**
 * Brings a customer's kept memberships in auto-update segments to the result of their filters, until nothing differs. A
 * simultaneous change of the customer has a separate record, or the next look sees it. Each look comes after the write
 * before it. A project without such segments reads no customer.
 */
async function followCustomer(context: Reading, key: Key, earnedByEntering: EarnedByEntering): Promise<void> {
  const { table, now } = context;
  let customerId: string | undefined;
  await retryOptimistically(table, async () => {
    // Each look reads the version of the segments again, because a turn may have ended since.
    const segments = await keptFollowed.get(readFamily(context, 'segments'), 'auto-update', async () =>
      (await readFew(context, segment)).filter(({ type }) => type === 'auto-update'),
    );
    if (segments.length === 0) return true;
    customerId ??= (await table.get(key, customers.schema))?.id;
    if (customerId === undefined) return true;
    const [kept, [found]] = await Promise.all([readMembers(context, customerId), readCustomers(context, [customerId])]);
    if (!found) return true;
    const keptIn = new Set(kept.map(({ segment_id }) => segment_id));
    const areas = await readAreas(context, listSegmentLocations(segments));
    const isIn = matchSegments(segments, buildSubject(context, found), keptIn, { now, areas }).map(({ id }) => id);
    const moves = findMoves(segments, keptIn, new Set(isIn));
    if (moves.length === 0) return true;
    const occasion = readOccasion({ now });
    const effects = await takeMoves(context, found, moves, occasion, earnedByEntering);
    if (effects !== again) await commitApart(table, effects);
    return again;
  });
}

/** A transaction adds at most this many customers of a part to a static segment. */
const putAtOnce = 90;

/** Puts the customers of a part into its segment. Returns whether the segment has the part. */
async function followPart(context: Reading, key: Key): Promise<boolean> {
  const { table, project } = context;
  const part = await table.get(key, parts.schema);
  const { owner } = await read(table, { owner: part && segment.few(project.id, part.segment_id) });
  if (!part || owner?.type !== 'static') return false;
  for await (const ids of splitIntoBatches(part.customers, putAtOnce)) {
    const effects = await putMembers(context, owner, ids);
    if (effects.length > 0) await commitApart(table, effects);
  }
  return true;
}

async function followSegment(context: Reading, key: Key): Promise<void> {
  const { table, project, now } = context;
  const item = await table.get(key, segment.stored);
  if (item?.type === 'auto-update') await commitApart(table, [startSync(project.id, item, now)]);
  // A load may write a part before its segment, and then the part alone leads to nothing.
  if (item?.type !== 'static') return;
  for (let index = 0; index < maxSegmentParts; index++) {
    if (!(await followPart(context, partKey(project.id, item.id, index)))) return;
  }
}

/** Looks at every customer again, for the segments that name a changed location. One job looks for all segments. */
async function followLocation({ table, project, now }: Reading, key: Key): Promise<void> {
  const changed = await table.get(key, location.stored);
  if (!changed) return;
  const named = (await readFew({ table, project }, segment)).find(
    (one) =>
      one.type === 'auto-update' && one.turning === undefined && listSegmentLocations([one]).includes(changed.id),
  );
  if (named) await commitApart(table, [startSegmentJob(project.id, 'sync-segment', named.id, now, now.getTime())]);
}

/** Updates segments after a change of the table. It may be cut off anywhere, repeated, and done in any order. */
export async function followChange(
  key: Key,
  dependencies: JobDependencies,
  earnedByEntering: EarnedByEntering,
): Promise<void> {
  const { dynamodb, tableName, clock, credentialCache } = dependencies;
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const project = await credentialCache.project(table, readProjectId(key), now);
  if (!project) return;
  const context = { table, project, now: inProjectTime(now, project) };
  if (isSegment(key)) return followSegment(context, key);
  if (isPart(key)) {
    await followPart(context, key);
    return;
  }
  if (isLocation(key)) return followLocation(context, key);
  if (isCustomer(key)) await followCustomer(context, key, earnedByEntering);
}
