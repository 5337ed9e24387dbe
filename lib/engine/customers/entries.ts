import * as v from 'valibot';
import { vouchers } from '#engine/vouchers/voucher.ts';
import {
  count,
  identifier,
  longText,
  metadata,
  nullable,
  record,
  sentMetadata,
  shortText,
} from '#kernel/core/schema.ts';
import { makePointer } from '#kernel/kit/entries/item-write.ts';
import { datedEntry, describeList, listAttributes, refer } from '#kernel/kit/entries/list.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
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
  /**
   * Holds figures that the service has counted, in addition to the three fields above. The `related_object_id` of a
   * referral is a code.
   */
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
