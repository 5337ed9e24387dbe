import * as v from 'valibot';
import {
  count,
  dateTime,
  identifier,
  longText,
  metadata,
  nullable,
  record,
  sentMetadata,
  shortText,
} from '../core/schema.ts';
import { explainDifference, makePointer } from '../kit/entries/item-write.ts';
import { datedEntry, describeList, listAttributes, refer, toCampaign } from '../kit/entries/list.ts';
import type { Draft, LoadContext } from '../kit/entries/traits.ts';
import { activitySubject, eventSource } from '../ledger/activities/activity.ts';
import { activities, campaignActivityCounts, placeActivities } from '../ledger/activities/record-activities.ts';
import { category } from '../rules/categories/resource.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { kinds } from '../table/kind-names.ts';
import { vouchers } from '../vouchers/voucher.ts';
import { birthDate } from './birth-date.ts';
import { placeCustomer } from './change-customer.ts';
import {
  addressEntries,
  customer,
  customerItem,
  customerSources,
  customers,
  listMergedClaims,
  mergedCustomer,
  referral,
} from './customer.ts';
import { customerOrderFigures, redemptionFigures } from './customer-figures.ts';
import { activity } from './list-activities.ts';

const entry = datedEntry({
  source_id: nullable(identifier),
  name: nullable(shortText),
  description: nullable(longText),
  email: nullable(shortText),
  phone: nullable(shortText),
  birthday: nullable(birthDate),
  birthdate: nullable(birthDate),
  address: nullable(v.object(addressEntries(shortText))),
  metadata: v.optional(sentMetadata),
  system_metadata: v.optional(sentMetadata),
  summary: v.optional(metadata),
  loyalty: v.optional(metadata),
  referrals: v.optional(metadata),
  /** Holds figures that the service has counted, beside the three fields above. The `related_object_id` of a referral is a code. */
  referred_customers: v.optional(count),
  referred_by_campaign: v.optional(record(count)),
  referred_in: v.optional(v.array(referral)),
  merged: v.optional(v.array(mergedCustomer)),
  event_counts: v.optional(record(count)),
  orders: v.optional(customerOrderFigures),
  ...redemptionFigures.entries,
});

const ordersBefore = v.object({ orders: v.object({ total_amount: v.number() }) });

/** Checks the sums of figures that the file brings and figures that the service counts. */
function* rules({
  summary,
  loyalty,
  referrals,
  orders,
  referred_customers = 0,
  referred_in = [],
}: v.InferOutput<typeof entry>) {
  const before = v.safeParse(ordersBefore, summary);
  const sums = [
    ['summary.orders.total_amount', before.success && before.output.orders.total_amount, orders?.total_amount ?? 0],
    ['loyalty.referred_customers', loyalty?.referred_customers, referred_customers],
    ['referrals.total', referrals?.total, referred_in.length],
  ] as const;
  for (const [place, before, counted] of sums) {
    if (typeof before !== 'number' || Number.isSafeInteger(before + counted)) continue;
    yield `${place} must stay a safe integer when the service's own count is added`;
  }
}

const parseReferrals = (item: Attributes) => v.parse(customerItem.entries.referred_in, item.referred_in);

const coded = v.object({ code: v.string() });

export const customerEntries = describeList('customers', entry, {
  called: 'customer',
  number: 'many',
  names: ['id', 'source_id'],
  apart: ['source_id', 'id'],
  prefix: 'cust_',
  unique: [{ field: 'source_id', claim: customerSources, holds: 'customer_id' }],
  shown: customer,
  references: ({ referred_in = [], referred_by_campaign = {} }) => [
    ...referred_in.map(({ related_object_id: code }, index) =>
      refer(`referred_in[${index}].related_object_id`, 'vouchers', code),
    ),
    ...Object.keys(referred_by_campaign).map((id) => refer(`referred_by_campaign.${id}`, 'campaigns', id)),
  ],
  rules,
  items(one, { id, place, projectId, now, voucherId }) {
    const { source_id } = one;
    const idTaken = { key: customerSources(projectId, id), fault: `${place}.id is the source_id of another customer` };
    const sourceTaken = (key: string) => ({
      key: customers(projectId, key),
      fault: `${place}.source_id is the id of another customer`,
    });
    return [
      {
        key: customers(projectId, id),
        item: {
          ...listAttributes(entry, one),
          id,
          created_at: one.created_at ?? now,
          referred_in: one.referred_in?.map(({ related_object_id: code, ...referral }) => ({
            ...referral,
            related_object_id: voucherId(code),
          })),
        },
        once: [
          ...['created_at', 'updated_at', 'summary', 'loyalty', 'referrals'],
          ...['referred_customers', 'referred_by_campaign', 'referred_in', 'event_counts', 'orders', 'merged'],
          ...Object.keys(redemptionFigures.entries),
        ],
        counts: 'revision',
        places: (item) => placeCustomer(projectId, parseStored(customers.schema, item)),
        apart: [
          ...(id === source_id ? [] : [idTaken]),
          ...(source_id && source_id !== id ? [sourceTaken(source_id)] : []),
        ],
      },
      ...listMergedClaims(projectId, id, one.merged).map(({ key, item }) => makePointer(key, item)),
    ];
  },
  kinds: [kinds.customer],
  needs: (item, projectId) => parseReferrals(item).map(({ related_object_id: id }) => vouchers(projectId, id)),
  entries(item, { referred_in, object, ...plain }, { projectId, at }) {
    const referrals = parseReferrals(item).flatMap((one) => {
      const voucher = at(vouchers(projectId, one.related_object_id));
      return voucher ? [{ ...one, related_object_id: v.parse(coded, voucher).code }] : [];
    });
    return [{ ...plain, ...(referrals.length > 0 ? { referred_in: referrals } : {}), object }];
  },
});

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
      missing(`${place} is about a customer that was removed meanwhile; run again`);
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
  // Activities beside a card belong to its ledger.
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
