import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import type { Project } from '../http/projects/project.ts';
import {
  type ActivityItem,
  activityItem,
  type ListedActivity,
  listedActivity,
  timeOfActivity,
} from '../ledger/activities/activity.ts';
import {
  activities,
  activityPlace,
  campaignActivities,
  customerActivities,
} from '../ledger/activities/record-activities.ts';
import { activitiesOf, withoutMoveNumber } from '../ledger/entry-activities.ts';
import { ledgerEntryItem } from '../ledger/ledger-entry.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { type Key, keyText } from '../table/keys.ts';
import { maxWalked } from '../table/list-page.ts';
import { type Entry, entries, type Listing, type Owner } from '../table/listing.ts';
import type { Table } from '../table/table.ts';

interface Context {
  table: Table;
  project: Project;
}

/** An activity as the lists have it, and the item that has all of it. */
interface Found {
  key: Key;
  activity: ListedActivity;
}

const listedItem = v.object({ activities: v.array(listedActivity) });

function foundIn({ key, listed }: Entry): Found[] {
  return parseStored(listedItem, listed).activities.map((activity) => ({ key, activity }));
}

/** A ledger entry stands for the activities that it brought about; any other item is one activity. */
function activitiesIn(item: Attributes): ActivityItem[] {
  return 'sequence' in item ? activitiesOf(parseStored(ledgerEntryItem, item)) : [parseStored(activityItem, item)];
}

/** All of the activities that a page shows, in one call. */
async function readAll({ table }: Context, page: readonly Found[]): Promise<ActivityItem[]> {
  const keys = [...new Map(page.map(({ key }) => [keyText(key), key])).values()];
  const items = await table.getMany(keys);
  const byId = new Map(items.flatMap((item) => (item ? activitiesIn(item) : [])).map((one) => [one.id, one]));
  return page.flatMap(({ activity }) => byId.get(activity.id) ?? []);
}

interface Position {
  /** What the order goes by; absent values come last in either direction. */
  value: string | undefined;
  id: string;
}

/** As the indexes order text: by its bytes, which JavaScript does not for characters beyond the first 65,536. */
function compareText(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Below 0 when `one` comes first. */
function compare(one: Position, other: Position, descending: boolean): number {
  if (one.value !== other.value && (one.value === undefined || other.value === undefined)) {
    return one.value === undefined ? 1 : -1;
  }
  const ascending = compareText(one.value ?? '', other.value ?? '') || compareText(one.id, other.id);
  return descending ? -ascending : ascending;
}

export interface Wanted {
  /** What the order goes by. */
  sortedBy: (activity: ListedActivity) => Promise<string | undefined>;
  descending: boolean;
  limit: number;
  /** Only what comes after it; `place` is where its item stands in time. */
  cursor: { activity: ListedActivity; place: string } | undefined;
  /** Only what came about after it, in the direction of the order. */
  startingAfter: string | undefined;
  matches: (activity: ListedActivity) => Promise<boolean>;
  /** How many items one call reads: by default about a page. */
  atOnce?: number;
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: 'starting_after_id must be the id of an activity of this customer',
  });
}

/** By its id alone: an item of the customer's own, or one beside a card, whose id has its time. */
export async function findActivity({ table, project }: Context, customerId: string, id: string) {
  const own = await table.get(activities(project.id, customerId, id), activityItem);
  if (own) return { activity: own, place: activityPlace(own) };
  const itemId = withoutMoveNumber(id);
  const createdAt = timeOfActivity(itemId);
  if (createdAt === undefined) throw invalidCursor();
  const place = activityPlace({ created_at: createdAt, id: itemId });
  for await (const entry of entries(table, customerActivities, [project.id, customerId], { from: place, to: place })) {
    const found = foundIn(entry).find(({ activity }) => activity.id === id);
    if (found) return { activity: found.activity, place };
  }
  throw invalidCursor();
}

/** Sort before and behind every time and id. */
const first = '0';
const last = '\uffff';

/** Sorts behind every activity of that moment, whatever its id: `$` follows `#`. */
function behind(createdAt: string): string {
  return `${createdAt}$`;
}

/** A part of a list. */
export interface Range {
  list: Listing;
  owner: Owner;
  from: string;
  to: string;
}

/** The list that is walked: the customer's, or that of one campaign, within the dates, both included. */
export function rangeOf(
  { project }: Context,
  customerId: string,
  {
    campaign_id,
    start_date,
    end_date,
  }: { campaign_id?: string | undefined; start_date?: string | undefined; end_date?: string | undefined },
): Range {
  return {
    ...(campaign_id === undefined
      ? { list: customerActivities, owner: [project.id, customerId] }
      : { list: campaignActivities, owner: [project.id, customerId, campaign_id] }),
    from: start_date ?? first,
    to: end_date === undefined ? last : behind(end_date),
  };
}

/** The part of a range that comes after a place, in the direction of the walk; the place itself is still in it. */
function after(range: Range, place: string, descending: boolean): Range | undefined {
  const { from, to } = range;
  const narrowed = descending ? { from, to: place < to ? place : to } : { from: place > from ? place : from, to };
  return narrowed.from <= narrowed.to ? { ...range, ...narrowed } : undefined;
}

function walk(
  { table }: Context,
  { list, owner, from, to }: Range,
  more: { descending?: boolean; atOnce?: number } = {},
) {
  return entries(table, list, owner, { from, to, ...more });
}

/** A page, and the last activity that was looked at where there may be more behind it. */
export interface ActivityPage {
  data: ActivityItem[];
  next: string | undefined;
}

/**
 * Reads a page in the order of time, begun at the cursor, so that it costs the same however deep that is. One item may stand for
 * several activities: that of the cursor is read again for those behind it.
 */
export async function pageInTime(context: Context, range: Range, wanted: Wanted): Promise<ActivityPage> {
  const { cursor, descending, limit, startingAfter, matches, atOnce = limit + 2 } = wanted;
  const place = cursor?.place ?? (startingAfter && (descending ? startingAfter : behind(startingAfter)));
  const rest = place ? after(range, place, descending) : range;
  if (!rest) return { data: [], next: undefined };
  const page: Found[] = [];
  let last: string | undefined;
  let looked = 0;
  for await (const entry of walk(context, rest, { descending, atOnce })) {
    for (const found of inOrder(entry, wanted)) {
      if (page.length === limit) return { data: await readAll(context, page), next: page.at(-1)?.activity.id };
      if (await matches(found.activity)) page.push(found);
      last = found.activity.id;
    }
    looked += 1;
    if (looked === maxWalked) return { data: await readAll(context, page), next: last };
  }
  return { data: await readAll(context, page), next: undefined };
}

/** The activities of one item that the page may show: of the cursor's own item, those that come after it. */
function inOrder(entry: Entry, { cursor, descending }: Wanted): Found[] {
  const found = descending ? foundIn(entry).reverse() : foundIn(entry);
  return found.slice(found.findIndex(({ activity }) => activity.id === cursor?.activity.id) + 1);
}

/** So many more than a page are held before the last of them are let go. */
const heldInWalk = 1_000;

/** Walks the whole range of the list, holding the best `limit` activities so far. */
export async function pageByWalk(
  context: Context,
  range: Range,
  { sortedBy, cursor, descending, limit, startingAfter, matches }: Wanted,
): Promise<{ data: ActivityItem[]; total: number }> {
  const start = cursor && { value: await sortedBy(cursor.activity), id: cursor.activity.id };
  let total = 0;
  let best: (Position & Found)[] = [];
  const cut = () => best.sort((one, other) => compare(one, other, descending)).slice(0, limit);
  for await (const entry of walk(context, range)) {
    for (const found of foundIn(entry)) {
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

export async function countInRange(context: Context, range: Range): Promise<number> {
  let total = 0;
  for await (const entry of walk(context, range)) total += foundIn(entry).length;
  return total;
}
