import type { FilterFields } from '../../kit/filters/fields.ts';
import { addressFields, type Customer } from '../customer.ts';
import { redemptionTotalNames } from '../redemption-figures.ts';

/** Holds a customer for a segment's filter: the customer's reply, and the numbers of sent events by name. */
export type SegmentSubject = Customer & { readonly events: Readonly<Record<string, number>> };

const address = addressFields.map((name) => `address.${name}`);
const texts = ['id', 'source_id', 'name', 'description', 'email', 'phone', ...address];
const dates = ['birthday', 'birthdate', 'created_at', 'updated_at', 'summary.orders.last_order_date'];
const redeemed = [
  ...redemptionTotalNames,
  'gift.redeemed_amount',
  'gift.amount_to_go',
  'loyalty_card.redeemed_points',
  'loyalty_card.points_to_go',
].map((name) => `summary.redemptions.${name}`);
const ordered = ['total_amount', 'total_count', 'average_amount', 'last_order_amount'].map(
  (name) => `summary.orders.${name}`,
);
const numbers = [
  ...redeemed,
  ...ordered,
  'loyalty.points',
  'loyalty.referred_customers',
  'loyalty.campaigns.*.points',
  'loyalty.campaigns.*.referred_customers',
  'referrals.total',
];

const typed = <T extends string>(names: readonly string[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type]));

/** Names every scalar of a customer's reply, counts of events, and points by campaign. See docs/segments.md#segments. */
export const segmentFields: FilterFields<SegmentSubject> = {
  ...typed(texts, 'text'),
  ...typed(dates, 'date'),
  ...typed(numbers, 'number'),
  'loyalty.campaigns.*.loyalty_tier': 'text',
  'loyalty_points.campaigns.*.points': {
    type: 'number',
    at: ({ loyalty: { campaigns } }, name) => (Object.hasOwn(campaigns, name) ? campaigns[name]?.points : undefined),
  },
  'events.*.count': { type: 'number', at: ({ events }, name) => (Object.hasOwn(events, name) ? events[name] : 0) },
  'metadata.*': 'any',
  'system_metadata.*': 'any',
};
