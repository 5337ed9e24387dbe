import * as v from 'valibot';
import { campaignType } from '#engine/campaigns/campaign.ts';
import { activityTypes, type ListedActivity } from '#engine/ledger/activities/activity.ts';
import { foldCode } from '#engine/ledger/codes/voucher-lists.ts';
import { boundPeriod } from '#kernel/core/day-bounds.ts';
import { described } from '#kernel/core/documented.ts';
import { text } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, sentBound, walkedEnvelope, wrapWalked } from '#kernel/http/page.ts';
import { chooseRange, findActivity, readPageInTime } from './activity-walk.ts';
import { findCustomer } from './find-customer.ts';
import {
  activity,
  buildAttributeReader,
  type Complete,
  fitActivities,
  isPeriod,
  periodEntries,
  presentActivity,
} from './list-activities.ts';
import { presentCustomerOfActivity } from './present-customer.ts';

export const activityOrder = described(
  v.optional(v.picklist(['created_at', '-created_at']), '-created_at'),
  '`created_at` lists the oldest activity first. `-created_at` lists the newest first.',
);

export const listActivityQuery = v.pipe(
  v.object({
    ...limitQuery,
    ...cursorQuery,
    order: activityOrder,
    ...periodEntries(sentBound),
    campaign_id: described(v.optional(text), 'Only activities about this campaign.'),
    campaign_type: described(v.optional(campaignType), 'Only activities about campaigns of this kind.'),
    category: described(
      v.optional(v.picklist(['ACTION', 'EFFECT'])),
      'Only actions by or upon the customer (`ACTION`), or only what followed from them (`EFFECT`).',
    ),
    type: described(v.optional(text), 'Only activities of this type.'),
  }),
  v.forward(v.partialCheck([['start_date'], ['end_date']], isPeriod, 'must not be before start_date'), ['end_date']),
);

type ListActivityQuery = v.InferOutput<typeof listActivityQuery>;

export const activityPage = walkedEnvelope(activity);

const actions: readonly string[] = [
  activityTypes.created,
  activityTypes.updated,
  'customer.deleted',
  'customer.confirmed',
  activityTypes.customEvent,
];

const actionsUpon = /^customer\.(?:order|validation|redemption|publication|holder\.assignment)\./;

/** Returns the category of an activity: ACTION if a person acted, and EFFECT if it followed from an action. */
export function classifyActivity(type: string): 'ACTION' | 'EFFECT' {
  return actions.includes(type) || actionsUpon.test(type) ? 'ACTION' : 'EFFECT';
}

/**
 * Lists a customer's activities. A page costs itself, at any length of the list and any depth of the cursor. Type, category
 * and kind of campaign are looked for in one walk. With `code`, only activities about this voucher are listed.
 */
export async function listActivity(
  context: Showing,
  customerIdOrSourceId: string,
  query: ListActivityQuery,
  { complete, code }: { complete: Complete; code?: string },
) {
  const found = await findCustomer(context, customerIdOrSourceId);
  const { id } = found.item;
  const { limit, order, starting_after_id, campaign_type, category, type } = query;
  const read = buildAttributeReader(context);
  const { project } = context;
  const isOfCode = (one: ListedActivity) =>
    code === undefined || (one.code !== undefined && foldCode(project, one.code) === foldCode(project, code));
  const filters = [campaign_type, category, type, code].some((one) => one !== undefined);
  const { data, next } = await readPageInTime(
    context,
    chooseRange(context, id, { ...query, ...boundPeriod(query, context.now) }),
    {
      sortedBy: async ({ created_at }) => created_at,
      descending: order === '-created_at',
      limit,
      cursor: starting_after_id === undefined ? undefined : await findActivity(context, id, starting_after_id),
      startingAfter: undefined,
      matches: async (one: ListedActivity) =>
        (type === undefined || one.type === type) &&
        isOfCode(one) &&
        (category === undefined || classifyActivity(one.type) === category) &&
        (campaign_type === undefined || (await read(one, 'campaign_type')) === campaign_type),
      ...(filters ? { atOnce: 250 } : {}),
    },
  );
  const customer = presentCustomerOfActivity(found, context);
  const fitting = fitActivities(await complete(context, found.item, data), customer);
  return wrapWalked(
    fitting.map((one) => presentActivity(one, customer)),
    fitting.length < data.length ? fitting.at(-1)?.id : next,
  );
}
