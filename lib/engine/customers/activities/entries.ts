import * as v from 'valibot';
import { activitySubject, eventSource } from '#engine/ledger/activities/activity.ts';
import { activities, campaignActivityCounts, placeActivities } from '#engine/ledger/activities/record-activities.ts';
import { category } from '#engine/rules/categories/resource.ts';
import { dateTime, identifier, nullable, shortText } from '#kernel/core/schema.ts';
import { explainDifference } from '#kernel/kit/entries/item-write.ts';
import { describeList, listAttributes, refer, toCampaign } from '#kernel/kit/entries/list.ts';
import type { Draft, LoadContext } from '#kernel/kit/entries/traits.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { customerSources, customers } from '../customer.ts';
import { activity } from '../list-activities.ts';

const activityEntry = v.object({
  id: v.optional(identifier),
  type: shortText,
  data: v.looseObject({
    data: v.looseObject({
      customer: v.pipe(
        v.object({ id: v.optional(identifier), source_id: nullable(identifier) }),
        v.check(({ id, source_id }) => Boolean(id ?? source_id), 'must have an id or a source_id'),
      ),
    }),
    event_source: v.optional(eventSource),
  }),
  created_at: v.optional(dateTime),
  ...activitySubject,
});

type Activity = v.InferOutput<typeof activityEntry>;

/** Returns the key of the claim that leads to the customer, for an entry without a customer id. */
function findSourceKey({ data }: Activity, projectId: string) {
  const { id, source_id } = data.data.customer;
  return id === undefined && source_id ? customerSources(projectId, source_id) : undefined;
}

const aboutCampaign = v.object({ data: v.object({ campaign: v.object({ id: v.string() }) }) });

/** Returns the campaign that a reply shows in the activity's data alone, if the file has it. */
function findShownCampaign({ data }: Activity, idOf: LoadContext['idOf']): string | undefined {
  const shown = v.safeParse(aboutCampaign, data);
  return shown.success ? idOf('campaigns', shown.output.data.campaign.id) : undefined;
}

const source = v.object({ customer_id: v.string() });

const ofCustomer = v.looseObject({ data: v.looseObject({ customer: v.object({ id: v.string() }) }) });

/** Returns the keys that lead to the item's category while the category has this name or id. */
const categoryKeys = ({ category: name }: Attributes, projectId: string) =>
  typeof name === 'string' ? [category.few(projectId, name), category.claim(projectId, 'name', name)] : [];

export const activityEntries = describeList('activities', activityEntry, {
  called: 'activity',
  number: 'many',
  stage: 3,
  names: ['id'],
  prefix: 'act_',
  shown: activity,
  references: (one) => [
    [
      ...refer('data.data.customer.id', 'customers', one.data.data.customer.id, ['id']),
      ...refer('data.data.customer.source_id', 'customers', one.data.data.customer.source_id, ['source_id']),
    ],
    toCampaign(one),
    refer('category', 'categories', one.category),
    refer('code', 'vouchers', one.code),
  ],
  lookups(one, projectId) {
    const claim = findSourceKey(one, projectId);
    return claim ? [claim] : [];
  },
  items(one, { id, place, projectId, firstLoadedAt, idOf, at, missing }) {
    const { data } = one;
    const claim = findSourceKey(one, projectId);
    const known = v.safeParse(source, claim && at(claim));
    const customerId = data.data.customer.id ?? (known.success ? known.output.customer_id : undefined);
    if (customerId === undefined) {
      missing(`${place} is about a customer that was removed during the load; run again`);
      return [];
    }
    const created_at = one.created_at ?? firstLoadedAt;
    const campaign_id = idOf('campaigns', one.campaign_id, one.campaign) ?? findShownCampaign(one, idOf);
    const counter = { attribute: 'activities' };
    return [
      {
        key: activities(projectId, customerId, id),
        item: {
          ...listAttributes(activityEntry, one),
          id,
          campaign_id,
          created_at,
          data: { ...data, data: { ...data.data, customer: { id: customerId } } },
          ...placeActivities(projectId, customerId, id, [{ ...one, id, campaign_id, created_at }]),
        },
        fixed: { created_at: explainDifference(`${place}.created_at`) },
        // The campaign decides lists and counters of activities.
        kept: { campaign_id: explainDifference(`${place}.campaign_id`) },
        counted: [
          { ...counter, key: customers(projectId, customerId), ofItem: true },
          ...(campaign_id ? [{ ...counter, key: campaignActivityCounts(projectId, customerId, campaign_id) }] : []),
        ],
      },
    ];
  },
  kinds: [kinds.activity],
  // A card's activities belong to its ledger.
  inside: 'CUSTOMER',
  needs: categoryKeys,
  entries(item, { category: name, ...plain }, { projectId, at }): Draft[] {
    const data = v.parse(ofCustomer, item.data);
    const { id } = data.data.customer;
    const isCategory = categoryKeys(item, projectId).some((key) => at(key));
    return [
      {
        ...plain,
        data: { ...data, data: { ...data.data, customer: { id, object: 'customer' } } },
        ...(isCategory ? { category: name } : {}),
      },
    ];
  },
});
