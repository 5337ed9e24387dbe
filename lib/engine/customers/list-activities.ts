import * as v from 'valibot';
import { campaignType } from '#engine/campaigns/campaign.ts';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { type ActivityItem, eventSource, type ListedActivity } from '#engine/ledger/activities/activity.ts';
import { campaignActivityCounts } from '#engine/ledger/activities/record-activities.ts';
import { readCategories } from '#engine/rules/categories/resource.ts';
import { defined } from '#kernel/core/defined.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, text, wrapList } from '#kernel/core/schema.ts';
import { limitQuery } from '#kernel/http/page.ts';
import {
  type ActivityPage,
  type ActivityRange,
  chooseRange,
  countRange,
  findActivity,
  readPageByWalk,
  readPageInTime,
  type WantedActivities,
} from './activity-walk.ts';
import { type Customer, type CustomerItem, customer } from './customer.ts';
import { type Context, type FoundCustomer, findCustomer } from './find-customer.ts';
import { presentCustomerOfActivity } from './present-customer.ts';

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

/** Returns the bounds of the period, both included. */
export function periodEntries<S extends v.GenericSchema<string, string>>(time: S) {
  return {
    start_date: described(v.optional(time), 'Only activities from this moment on.'),
    end_date: described(v.optional(time), 'Only activities up to this moment. It must not be before `start_date`.'),
  };
}

export function isPeriod({ start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined }) {
  // A bound may be a date without a time, and compares as its day.
  const length = Math.min(start_date?.length ?? 0, end_date?.length ?? 0);
  return start_date === undefined || end_date === undefined || start_date.slice(0, length) <= end_date.slice(0, length);
}

export const listActivitiesQuery = v.pipe(
  v.object({
    ...limitQuery,
    order: described(
      v.optional(v.picklist(orders), '-created_at'),
      'The field that orders the list. A leading dash means descending.',
    ),
    starting_after: described(
      v.optional(dateTime),
      'Only activities after this moment, in the direction of the order.',
    ),
    starting_after_id: described(
      v.optional(text),
      'Only activities older than the activity with this id. Not together with `starting_after`.',
    ),
    campaign_type: described(v.optional(campaignType), 'Only activities about campaigns of this kind.'),
    campaign_id: described(v.optional(text), 'Only activities about this campaign.'),
    product_id: described(v.optional(text), 'Only activities about this product.'),
    ...periodEntries(dateTime),
  }),
  v.forward(
    v.partialCheck(
      [['starting_after'], ['starting_after_id']],
      ({ starting_after, starting_after_id }) => starting_after === undefined || starting_after_id === undefined,
      'must not be sent together with starting_after',
    ),
    ['starting_after_id'],
  ),
  v.forward(v.partialCheck([['start_date'], ['end_date']], isPeriod, 'must not be before start_date'), ['end_date']),
);

type ListActivitiesQuery = v.InferOutput<typeof listActivitiesQuery>;

/** Shows an activity. Further fields of `data.data` depend on the type. */
export const activity = named(
  'Activity',
  v.object({
    id: v.string(),
    type: v.string(),
    data: v.object({ data: v.looseObject({ customer }), event_source: v.optional(eventSource) }),
    created_at: dateTime,
    group_id: v.optional(v.string()),
  }),
);

interface CampaignNames {
  campaign?: string;
  category?: string;
  campaign_type?: string;
}

/** Returns a reader of the names that activities show of their campaign. It reads each campaign once. */
function campaignNames(context: Context): (id: string) => Promise<CampaignNames> {
  const known = new Map<string, Promise<CampaignNames>>();
  async function read(id: string): Promise<CampaignNames> {
    const terms = (await readTerms(context, [id])).get(id);
    if (!terms) return {};
    const { name, category_id, campaign_type } = terms;
    const category =
      category_id === null ? undefined : (await readCategories(context, [category_id]))[category_id]?.name;
    return { campaign: name, campaign_type, ...defined({ category }) };
  }
  return (id) => {
    const names = known.get(id) ?? read(id);
    known.set(id, names);
    return names;
  };
}

type Reader = (activity: ListedActivity, field: OrderField | 'campaign_type') => Promise<string | undefined>;

export function buildAttributeReader(context: Context): Reader {
  const readNames = campaignNames(context);
  return async (activity, field) => {
    // Activities do not change, so their creation is their last change.
    if (field === 'updated_at') return activity.created_at;
    const own = activity[field];
    if (own !== undefined || !activity.campaign_id) return own;
    return field === 'campaign' || field === 'category' || field === 'campaign_type'
      ? (await readNames(activity.campaign_id))[field]
      : undefined;
  };
}

/** Returns the total of a whole list from its counters, and the total of a part by walking it. */
async function countActivities(
  context: Context,
  { item, cards }: FoundCustomer,
  { campaign_id, start_date, end_date }: ListActivitiesQuery,
  range: ActivityRange,
): Promise<number> {
  if (start_date !== undefined || end_date !== undefined) return countRange(context, range);
  const { table, project } = context;
  const key = campaign_id === undefined ? undefined : campaignActivityCounts(project.id, item.id, campaign_id);
  const own = key ? await table.get(key, key.schema) : item;
  const ofCards = cards.filter((card) => campaign_id === undefined || card.campaign_id === campaign_id);
  return ofCards.reduce((sum, card) => sum + card.activities, own?.activities ?? 0);
}

/** Completes activities with the objects that they name. Rooms above this one read these objects. */
export type Complete = (
  context: Context,
  owner: CustomerItem,
  all: readonly ActivityItem[],
) => Promise<readonly ActivityItem[]>;

/** Lambda replies with at most 6 MB. */
const maxReplyBytes = 5_500_000;

/** Returns the bytes of a value in a reply. The body is a text within JSON, so quotes count twice. */
function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** Returns as many activities as one reply holds, and at least the first. The next page has the others. */
export function fitActivities(activities: readonly ActivityItem[], shown: Customer): readonly ActivityItem[] {
  const customerBytes = countBytes(shown);
  let bytes = 0;
  const tooMany = activities.findIndex((one, index) => {
    bytes += countBytes(one) + customerBytes;
    return index > 0 && bytes > maxReplyBytes;
  });
  return tooMany === -1 ? activities : activities.slice(0, tooMany);
}

export function presentActivity({ id, type, created_at, group_id, data }: ActivityItem, customer: Customer) {
  return {
    id,
    type,
    data: { ...data, data: { ...data.data, customer } },
    created_at,
    ...(group_id ? { group_id } : {}),
  };
}

/**
 * Lists a customer's activities. In the order of time, of all activities or of one campaign, it costs about a page. Dates also
 * read the range's part of the index, for the exact total. Other orders and filters read that part, or without dates the whole
 * list, in bounded memory.
 */
export async function listActivities(
  context: Context,
  customerIdOrSourceId: string,
  query: ListActivitiesQuery,
  complete: Complete,
) {
  const found = await findCustomer(context, customerIdOrSourceId);
  const { id } = found.item;
  const descending = query.order.startsWith('-');
  const field = orderedBy.find((name) => name === query.order.replace('-', '')) ?? 'created_at';
  const read = buildAttributeReader(context);
  const cursor =
    query.starting_after_id === undefined ? undefined : await findActivity(context, id, query.starting_after_id);
  const { campaign_type, product_id } = query;
  const wanted: WantedActivities = {
    sortedBy: (activity) => read(activity, field),
    descending,
    limit: query.limit,
    cursor,
    startingAfter: query.starting_after,
    matches: async (activity) =>
      (product_id === undefined || activity.product_id === product_id) &&
      (campaign_type === undefined || (await read(activity, 'campaign_type')) === campaign_type),
  };
  const range = chooseRange(context, id, query);
  const inTime = field === 'created_at' || field === 'updated_at';
  const isWhole = campaign_type === undefined && product_id === undefined;
  const { data, total } =
    inTime && isWhole
      ? await joinTotal(readPageInTime(context, range, wanted), countActivities(context, found, query, range))
      : await readPageByWalk(context, range, wanted);
  const shown = presentCustomerOfActivity(found, context);
  const completed = await complete(context, found.item, data);
  return wrapList(
    fitActivities(completed, shown).map((one) => presentActivity(one, shown)),
    total,
  );
}

async function joinTotal(page: Promise<ActivityPage>, count: Promise<number>) {
  const [{ data }, total] = await Promise.all([page, count]);
  return { data, total };
}
