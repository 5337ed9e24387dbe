import * as v from 'valibot';
import {
  type ActivityItem,
  activityItem,
  type ListedActivity,
  listedActivity,
  readActivityTime,
} from '#engine/ledger/activities/activity.ts';
import {
  activities,
  activityPlace,
  campaignActivities,
  customerActivities,
} from '#engine/ledger/activities/record-activities.ts';
import { deriveActivities, stripMoveNumber } from '#engine/ledger/entry-activities.ts';
import { ledgerEntryItem } from '#engine/ledger/ledger-entry.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';
import { maxWalked } from '#kernel/table/list-page.ts';
import { type Entry, type Listing, type Owner, walkList } from '#kernel/table/listing.ts';
import type { Table } from '#kernel/table/table.ts';

interface Context {
  table: Table;
  project: Project;
}

/** Holds an activity of a list, and the key of the item that has all its data. */
interface Found {
  key: Key;
  activity: ListedActivity;
}

const listedItem = v.object({ activities: v.array(listedActivity) });

function readFound({ key, listed }: Entry): Found[] {
  return parseStored(listedItem, listed).activities.map((activity) => ({ key, activity }));
}

/** Returns the activities of an item. A ledger entry contains several, and any other item is a single activity. */
export function parseActivities(item: Attributes): ActivityItem[] {
  return 'sequence' in item ? deriveActivities(parseStored(ledgerEntryItem, item)) : [parseStored(activityItem, item)];
}

/** Reads all activities of a page in one call. */
async function readAll({ table }: Context, page: readonly Found[]): Promise<ActivityItem[]> {
  const keys = [...new Map(page.map(({ key }) => [keyText(key), key])).values()];
  const items = await table.getMany(keys);
  const byId = new Map(items.flatMap((item) => (item ? parseActivities(item) : [])).map((one) => [one.id, one]));
  return page.flatMap(({ activity }) => byId.get(activity.id) ?? []);
}

interface Position {
  /** Holds the value that decides the order. Absent values come last in either direction. */
  value: string | undefined;
  id: string;
}

/** Compares text by its bytes, like the indexes. JavaScript compares characters beyond the first 65,536 differently. */
function compareText(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Returns a number below 0 if `one` comes first. */
function compare(one: Position, other: Position, descending: boolean): number {
  if (one.value !== other.value && (one.value === undefined || other.value === undefined)) {
    return one.value === undefined ? 1 : -1;
  }
  const ascending = compareText(one.value ?? '', other.value ?? '') || compareText(one.id, other.id);
  return descending ? -ascending : ascending;
}

export interface WantedActivities {
  /** Returns the value that decides the order. */
  sortedBy: (activity: ListedActivity) => Promise<string | undefined>;
  descending: boolean;
  limit: number;
  /** Names the activity before the page. `place` is the place of its item in time. */
  cursor: { activity: ListedActivity; place: string } | undefined;
  /** Names a moment. The page has only activities beyond it, in the direction of the order. */
  startingAfter: string | undefined;
  matches: (activity: ListedActivity) => Promise<boolean>;
  /** Sets how many items one call reads. By default it is about a page. */
  atOnce?: number;
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: 'starting_after_id must be the id of an activity of this customer',
  });
}

/**
 * Finds an activity by its id alone: an item of the customer, or an item of a card, which has its time in the id.
 */
export async function findActivity({ table, project }: Context, customerId: string, id: string) {
  const own = await table.get(activities(project.id, customerId, id), activityItem);
  if (own) return { activity: own, place: activityPlace(own) };
  const itemId = stripMoveNumber(id);
  const createdAt = readActivityTime(itemId);
  if (createdAt === undefined) throw invalidCursor();
  const place = activityPlace({ created_at: createdAt, id: itemId });
  for await (const entry of walkList(table, customerActivities, [project.id, customerId], { from: place, to: place })) {
    const found = readFound(entry).find(({ activity }) => activity.id === id);
    if (found) return { activity: found.activity, place };
  }
  throw invalidCursor();
}

/** These texts sort before and after every time and id. */
const first = '0';
const last = '\uffff';

/** Returns a text that sorts after every activity of that moment, because `$` follows `#`. */
function placeBehind(createdAt: string): string {
  return `${createdAt}$`;
}

/** Describes a part of a list. */
export interface ActivityRange {
  list: Listing;
  owner: Owner;
  from: string;
  to: string;
}

/** Returns the list to walk within the dates, both included: the customer's whole list, or the list of one campaign. */
export function chooseRange(
  { project }: Context,
  customerId: string,
  {
    campaign_id,
    start_date,
    end_date,
  }: { campaign_id?: string | undefined; start_date?: string | undefined; end_date?: string | undefined },
): ActivityRange {
  return {
    ...(campaign_id === undefined
      ? { list: customerActivities, owner: [project.id, customerId] }
      : { list: campaignActivities, owner: [project.id, customerId, campaign_id] }),
    from: start_date ?? first,
    to: end_date === undefined ? last : placeBehind(end_date),
  };
}

/** Returns the part of a range from a place on, in the direction of the walk. It includes the place. */
function narrowRange(range: ActivityRange, place: string, descending: boolean): ActivityRange | undefined {
  const { from, to } = range;
  const narrowed = descending ? { from, to: place < to ? place : to } : { from: place > from ? place : from, to };
  return narrowed.from <= narrowed.to ? { ...range, ...narrowed } : undefined;
}

function walk(
  { table }: Context,
  { list, owner, from, to }: ActivityRange,
  more: { descending?: boolean; atOnce?: number } = {},
) {
  return walkList(table, list, owner, { from, to, ...more });
}

/** Holds a page. `next` is the last activity that was looked at, if more may follow. */
export interface ActivityPage {
  data: ActivityItem[];
  next: string | undefined;
}

/**
 * Reads a page in the order of time. It begins at the cursor, so that it costs the same at any depth. An item may
 * contain several activities, so the item of the cursor is read again.
 */
export async function readPageInTime(
  context: Context,
  range: ActivityRange,
  wanted: WantedActivities,
): Promise<ActivityPage> {
  const { cursor, descending, limit, startingAfter, matches, atOnce = limit + 2 } = wanted;
  const place = cursor?.place ?? (startingAfter && (descending ? startingAfter : placeBehind(startingAfter)));
  const rest = place ? narrowRange(range, place, descending) : range;
  if (!rest) return { data: [], next: undefined };
  const page: Found[] = [];
  let last: string | undefined;
  let looked = 0;
  for await (const entry of walk(context, rest, { descending, atOnce })) {
    for (const found of findAfterCursor(entry, wanted)) {
      if (page.length === limit) return { data: await readAll(context, page), next: page.at(-1)?.activity.id };
      if (await matches(found.activity)) page.push(found);
      last = found.activity.id;
    }
    looked += 1;
    if (looked === maxWalked) return { data: await readAll(context, page), next: last };
  }
  return { data: await readAll(context, page), next: undefined };
}

/** Returns the activities of one item that the page may show. It skips activities up to the cursor. */
function findAfterCursor(entry: Entry, { cursor, descending }: WantedActivities): Found[] {
  const found = descending ? readFound(entry).reverse() : readFound(entry);
  return found.slice(found.findIndex(({ activity }) => activity.id === cursor?.activity.id) + 1);
}

/** A walk holds this many activities more than a page before it drops the surplus. */
const heldInWalk = 1_000;

/** Walks the whole range of the list, and holds the best `limit` activities so far. */
export async function readPageByWalk(
  context: Context,
  range: ActivityRange,
  { sortedBy, cursor, descending, limit, startingAfter, matches }: WantedActivities,
): Promise<{ data: ActivityItem[]; total: number }> {
  const start = cursor && { value: await sortedBy(cursor.activity), id: cursor.activity.id };
  let total = 0;
  let best: (Position & Found)[] = [];
  const cut = () => best.sort((one, other) => compare(one, other, descending)).slice(0, limit);
  for await (const entry of walk(context, range)) {
    for (const found of readFound(entry)) {
      const { activity } = found;
      if (!(await matches(activity))) continue;
      total += 1;
      if (startingAfter !== undefined && !isAfter(activity.created_at, startingAfter, descending)) continue;
      const position = { value: await sortedBy(activity), id: activity.id };
      if (start && compare(position, start, descending) <= 0) continue;
      best.push({ ...position, ...found });
    }
    if (best.length > limit + heldInWalk) best = cut();
  }
  return { data: await readAll(context, cut()), total };
}

function isAfter(createdAt: string, cursor: string, descending: boolean): boolean {
  return descending ? createdAt < cursor : createdAt > cursor;
}

export async function countRange(context: Context, range: ActivityRange): Promise<number> {
  let total = 0;
  for await (const entry of walk(context, range)) total += readFound(entry).length;
  return total;
}
