import * as v from 'valibot';
import { campaignItem, campaignType } from '../campaigns/campaign.ts';
import { categoriesItem } from '../campaigns/category.ts';
import { type Attributes, parseStored, type Query } from '../dynamodb.ts';
import { ServiceError } from '../errors.ts';
import { limitQuery } from '../lists/page.ts';
import { activitiesOf, ledgerEntryItem, withoutMoveNumber } from '../loyalty/ledger-entry.ts';
import { dateTime, list, text } from '../schema.ts';
import { indexed, keys } from '../table.ts';
import { type ActivityItem, activityAt, activityItem, eventSource, timeOfActivity } from './activity.ts';
import { type Customer, customer } from './customer.ts';
import { type Context, type FoundCustomer, findCustomer } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

const orderedBy = ['created_at', 'updated_at', 'type', 'code', 'campaign', 'category'] as const;

type OrderField = (typeof orderedBy)[number];

const orders = [
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'type',
  '-type',
  'code',
  '-code',
  'campaign',
  '-campaign',
  'category',
  '-category',
] as const;

/** Contract, endpoint 4. */
export const listActivitiesQuery = v.pipe(
  v.object({
    ...limitQuery,
    order: v.optional(v.picklist(orders), '-created_at'),
    starting_after: v.optional(dateTime),
    starting_after_id: v.optional(text),
    campaign_type: v.optional(campaignType),
    campaign_id: v.optional(text),
    product_id: v.optional(text),
    start_date: v.optional(dateTime),
    end_date: v.optional(dateTime),
  }),
  v.forward(
    v.partialCheck(
      [['starting_after'], ['starting_after_id']],
      ({ starting_after, starting_after_id }) => starting_after === undefined || starting_after_id === undefined,
      'must not be sent together with starting_after',
    ),
    ['starting_after_id'],
  ),
  v.forward(
    v.partialCheck(
      [['start_date'], ['end_date']],
      ({ start_date, end_date }) => start_date === undefined || end_date === undefined || start_date <= end_date,
      'must not be before start_date',
    ),
    ['end_date'],
  ),
);

export type ListActivitiesQuery = v.InferOutput<typeof listActivitiesQuery>;

/** Contract, "Customer activity". What else stands in `data.data` depends on the type. */
export const activity = v.object({
  id: v.string(),
  type: v.string(),
  data: v.object({ data: v.looseObject({ customer }), event_source: v.optional(eventSource) }),
  created_at: dateTime,
  group_id: v.optional(v.string()),
});

/** Sort before and behind every time and id. */
const first = '0';
const last = '\uffff';

/** Sorts behind every activity of that moment, whatever its id: `$` follows `#`. */
function behind(createdAt: string): string {
  return `${createdAt}$`;
}

/** A ledger entry stands for the activities that it brought about; any other record is one activity. */
function activitiesIn(record: Attributes): ActivityItem[] {
  return 'sequence' in record
    ? activitiesOf(parseStored(ledgerEntryItem, record))
    : [parseStored(activityItem, record)];
}

interface Position {
  /** What the order goes by; absent values come last in either direction (ruling C.4). */
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

interface CampaignNames {
  campaign?: string;
  category?: string;
  campaign_type?: string;
}

/** What a campaign tells of the activities about it that do not tell it themselves: each campaign is read once. */
function campaignNames({ table, project }: Context): (id: string) => Promise<CampaignNames> {
  const known = new Map<string, Promise<CampaignNames>>();
  async function read(id: string): Promise<CampaignNames> {
    const [campaign, categories] = await table.getMany([keys.campaign(project.id, id), keys.categories(project.id)]);
    if (!campaign) return {};
    const { name, category_id, campaign_type } = parseStored(campaignItem, campaign);
    const stored = categories ? parseStored(categoriesItem, categories).items : {};
    const category = category_id === null ? undefined : stored[category_id]?.name;
    return { campaign: name, campaign_type, ...(category === undefined ? {} : { category }) };
  }
  return (id) => {
    const names = known.get(id) ?? read(id);
    known.set(id, names);
    return names;
  };
}

type Told = (activity: ActivityItem, field: OrderField | 'campaign_type') => Promise<string | undefined>;

function teller(context: Context): Told {
  const namesOf = campaignNames(context);
  return async (activity, field) => {
    // Activities do not change: they were updated when they were made.
    if (field === 'updated_at') return activity.created_at;
    const own = activity[field];
    if (own !== undefined || !activity.campaign_id) return own;
    return field === 'campaign' || field === 'category' || field === 'campaign_type'
      ? (await namesOf(activity.campaign_id))[field]
      : undefined;
  };
}

interface Wanted {
  field: OrderField;
  descending: boolean;
  limit: number;
  /** Only what comes after it; `place` is where its record stands in time. */
  cursor: (Position & { place: string }) | undefined;
  startingAfter: string | undefined;
  matches: (activity: ActivityItem) => Promise<boolean>;
}

function invalidCursor(): ServiceError {
  return new ServiceError('invalid_query_params', {
    details: 'starting_after_id must be the id of an activity of this customer',
  });
}

/** By its id alone: an item of the customer's own, or a record beside a card, whose id tells its time. */
async function findActivity(
  { table, project }: Context,
  customerId: string,
  id: string,
): Promise<{ activity: ActivityItem; place: string }> {
  const own = await table.get(keys.activity(project.id, customerId, id), activityItem);
  if (own) return { activity: own, place: activityAt({ createdAt: own.created_at, id }) };
  const recordId = withoutMoveNumber(id);
  const createdAt = timeOfActivity(recordId);
  if (createdAt === undefined) throw invalidCursor();
  const place = activityAt({ createdAt, id: recordId });
  const partition = indexed.customerActivities(project.id, customerId);
  const [record] = await table.query({ index: 'customer-activities', partition, from: place, to: place });
  const activity = record && activitiesIn(record).find((one) => one.id === id);
  if (!activity) throw invalidCursor();
  return { activity, place };
}

/** The list that is walked: the customer's, or that of one campaign, within the dates (both included, ruling C.4). */
function rangeOf({ project }: Context, customerId: string, query: ListActivitiesQuery): Query {
  const { campaign_id, start_date, end_date } = query;
  return {
    ...(campaign_id === undefined
      ? {
          index: 'customer-activities' as const,
          partition: indexed.customerActivities(project.id, customerId),
        }
      : {
          index: 'campaign-activities' as const,
          partition: indexed.campaignActivities(project.id, customerId, campaign_id),
        }),
    from: start_date ?? first,
    to: end_date === undefined ? last : behind(end_date),
  };
}

/** The part of a range that comes after a place, in the direction of the walk; the place itself is still in it. */
function after(range: Query, place: string, descending: boolean): Query | undefined {
  const { from = first, to = last } = range;
  const narrowed = descending
    ? { from, to: place < String(to) ? place : to }
    : { from: place > String(from) ? place : from, to };
  return narrowed.from <= narrowed.to ? { ...range, ...narrowed } : undefined;
}

/**
 * In the order of time a page is read from where the cursor stands: it costs the same however deep that is. A record holds
 * at least one activity, and the cursor's own is read again, for it may hold more.
 */
async function pageInTime(context: Context, range: Query, wanted: Wanted): Promise<ActivityItem[]> {
  const { cursor, descending, limit, startingAfter } = wanted;
  const place = cursor?.place ?? (startingAfter && (descending ? startingAfter : behind(startingAfter)));
  const rest = place ? after(range, place, descending) : range;
  if (!rest) return [];
  const page: ActivityItem[] = [];
  for await (const records of context.table.pages({ ...rest, descending, limit: limit + (cursor ? 1 : 0) })) {
    page.push(...records.flatMap((record) => inOrder(record, wanted)));
  }
  return page.slice(0, limit);
}

/** The activities of one record that the page may show: of the cursor's own record, those that come after it. */
function inOrder(record: Attributes, { cursor, descending }: Wanted): ActivityItem[] {
  const activities = descending ? activitiesIn(record).reverse() : activitiesIn(record);
  return activities.slice(activities.findIndex(({ id }) => id === cursor?.id) + 1);
}

/** Walks the whole range, holding one page of what DynamoDB reads and the best `limit` activities so far. */
async function pageByWalk(
  context: Context,
  range: Query,
  wanted: Wanted,
  told: Told,
): Promise<{ data: ActivityItem[]; total: number }> {
  const { field, cursor, descending, limit, startingAfter, matches } = wanted;
  let total = 0;
  let best: (Position & { activity: ActivityItem })[] = [];
  for await (const records of context.table.pages(range)) {
    const candidates = [];
    for (const activity of records.flatMap(activitiesIn)) {
      if (!(await matches(activity))) continue;
      total += 1;
      if (startingAfter !== undefined && !isAfter(activity.created_at, startingAfter, descending)) continue;
      const position = { value: await told(activity, field), id: activity.id };
      if (cursor && compare(position, cursor, descending) <= 0) continue;
      candidates.push({ ...position, activity });
    }
    best = [...best, ...candidates].sort((one, other) => compare(one, other, descending)).slice(0, limit);
  }
  return { data: best.map(({ activity }) => activity), total };
}

function isAfter(createdAt: string, cursor: string, descending: boolean): boolean {
  return descending ? createdAt < cursor : createdAt > cursor;
}

/** Of a whole list the counters tell, that were written with it; of a part of it only its records do. */
async function totalOf(
  context: Context,
  { item, cards }: FoundCustomer,
  { campaign_id, start_date, end_date }: ListActivitiesQuery,
  range: Query,
): Promise<number> {
  const { table, project } = context;
  if (start_date !== undefined || end_date !== undefined) {
    let total = 0;
    for await (const records of table.pages({ ...range, only: ['told'] })) {
      for (const { told } of records) total += typeof told === 'number' ? told : 1;
    }
    return total;
  }
  const own =
    campaign_id === undefined
      ? item.activities
      : (await table.get(keys.customerCampaign(project.id, item.id, campaign_id), counterItem))?.activities;
  const ofCards = cards.filter((card) => campaign_id === undefined || card.campaign_id === campaign_id);
  return ofCards.reduce((sum, card) => sum + card.activities, own ?? 0);
}

const counterItem = v.object({ activities: v.optional(v.number(), 0) });

/** Lambda replies with at most 6 MB. */
const maxReplyBytes = 5_500_000;

/** What it takes of a reply, whose body is a text in JSON itself: quotes count twice. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** As many as one reply holds, the first one in any case: what is left out comes after the last of them. */
function thatFit(activities: ActivityItem[], shown: Customer): ActivityItem[] {
  const customerBytes = bytesOf(shown);
  let bytes = 0;
  const tooMany = activities.findIndex((one, index) => {
    bytes += bytesOf(one) + customerBytes;
    return index > 0 && bytes > maxReplyBytes;
  });
  return tooMany === -1 ? activities : activities.slice(0, tooMany);
}

/**
 * Contract, endpoint 4; rulings C.4 and C.5. What a page costs: in the order of time, of all activities or those of one
 * campaign, about the page however long the list and deep the cursor; with dates, besides, reading the range for its exact
 * total. By `campaign_type`, `product_id` or in another order the range (without dates the whole list) is read, in bounded memory.
 */
export async function listActivities(context: Context, customerIdOrSourceId: string, query: ListActivitiesQuery) {
  const found = await findCustomer(context, customerIdOrSourceId);
  const { id } = found.item;
  const descending = query.order.startsWith('-');
  const field = orderedBy.find((name) => name === query.order.replace('-', '')) ?? 'created_at';
  const told = teller(context);
  const cursor =
    query.starting_after_id === undefined ? undefined : await findActivity(context, id, query.starting_after_id);
  const { campaign_type, product_id } = query;
  const wanted: Wanted = {
    field,
    descending,
    limit: query.limit,
    cursor: cursor && {
      value: await told(cursor.activity, field),
      id: cursor.activity.id,
      place: cursor.place,
    },
    startingAfter: query.starting_after,
    matches: async (activity) =>
      (product_id === undefined || activity.product_id === product_id) &&
      (campaign_type === undefined || (await told(activity, 'campaign_type')) === campaign_type),
  };
  const range = rangeOf(context, id, query);
  const inTime = field === 'created_at' || field === 'updated_at';
  const isWhole = campaign_type === undefined && product_id === undefined;
  const { data, total } =
    inTime && isWhole
      ? await bothOf(pageInTime(context, range, wanted), totalOf(context, found, query, range))
      : await pageByWalk(context, range, wanted, told);
  const shown = presentCustomer(found, context);
  return list(
    thatFit(data, shown).map(({ id, type, created_at, group_id, data }) => ({
      id,
      type,
      data: { ...data, data: { ...data.data, customer: shown } },
      created_at,
      ...(group_id ? { group_id } : {}),
    })),
    total,
  );
}

async function bothOf(page: Promise<ActivityItem[]>, count: Promise<number>) {
  const [data, total] = await Promise.all([page, count]);
  return { data, total };
}
