import { isRecord } from '#kernel/core/is-record.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { CustomerItem } from '../customer.ts';
import { addOrderFigures, redemptionFigures } from '../customer-figures.ts';

/** Decides the fields of a customer that another customer is merged into. */

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Returns the fields of both. The first wins, and the second fills its gaps. */
function fill<T extends object>(own: T | null | undefined, other: T | null | undefined): T | undefined {
  if (!own || !other) return own ?? other ?? undefined;
  const gaps = Object.entries(other).filter(([name]) => isEmpty(Reflect.get(own, name)));
  return { ...own, ...Object.fromEntries(gaps) };
}

const filled = ['name', 'description', 'email', 'phone'] as const;

/** Returns the description of the customer, in which the other one fills gaps. */
export function fillGaps(own: CustomerItem, other: CustomerItem): CustomerItem {
  const gaps = filled.filter((name) => isEmpty(own[name]) && !isEmpty(other[name]));
  const isBorn = !isEmpty(own.birthdate) || !isEmpty(own.birthday);
  return {
    ...own,
    ...Object.fromEntries(gaps.map((name) => [name, other[name]])),
    ...(isBorn ? {} : { birthdate: other.birthdate, birthday: other.birthday }),
    address: fill(own.address, other.address),
    metadata: { ...other.metadata, ...own.metadata },
  };
}

function sumRecords(own: unknown, other: unknown): unknown {
  if (typeof own === 'number' && typeof other === 'number') return own + other;
  if (Array.isArray(own) && Array.isArray(other)) return [...own, ...other];
  if (!isRecord(own) || !isRecord(other)) return own ?? other;
  const names = new Set([...Object.keys(own), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, sumRecords(own[name], other[name])]));
}

/** Returns the sum of figures that project files brought. The later of two last orders counts. */
function sumEarlier(own: CustomerItem, other: CustomerItem): Attributes {
  const [first, second] = [own.summary.orders, other.summary.orders];
  const lastOf = (orders: unknown) => (isRecord(orders) ? String(orders.last_order_date ?? '') : '');
  const later = lastOf(second) > lastOf(first) ? second : first;
  const last = isRecord(later)
    ? { last_order_date: later.last_order_date, last_order_amount: later.last_order_amount }
    : {};
  const sum = sumRecords(own.summary, other.summary);
  const summary = isRecord(sum) && isRecord(sum.orders) ? { ...sum, orders: { ...sum.orders, ...last } } : sum;
  return {
    summary,
    loyalty: sumRecords(own.loyalty, other.loyalty),
    referrals: sumRecords(own.referrals, other.referrals),
  };
}

const numbers = ['activities', 'referred_customers', ...Object.keys(redemptionFigures.entries)] as const;
const sums = ['referred_by_campaign', 'event_counts', 'orders', 'summary', 'loyalty', 'referrals'] as const;

/** Names the fields that change without a new revision. A merge requires that they are unchanged since the read. */
export const figureNames: readonly string[] = [...numbers, ...sums];

const numberIn = (item: CustomerItem, name: string) => Number(Reflect.get(item, name) ?? 0);

/**
 * Returns the changes by the figures of the other customer: increases of numbers, and the new values of all other
 * figures.
 */
export function addFigures(own: CustomerItem, other: CustomerItem): { added: [string, number][]; set: Attributes } {
  const merged: Attributes = {
    referred_by_campaign: sumRecords(own.referred_by_campaign, other.referred_by_campaign),
    event_counts: sumRecords(own.event_counts, other.event_counts),
    orders: addOrderFigures(own.orders, other.orders),
    system_metadata: { ...other.system_metadata, ...own.system_metadata },
    ...sumEarlier(own, other),
  };
  return {
    added: numbers.map((name): [string, number] => [name, numberIn(other, name)]).filter(([, by]) => by !== 0),
    set: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)),
  };
}
