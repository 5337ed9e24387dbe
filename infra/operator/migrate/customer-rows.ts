import * as v from 'valibot';
import { addressFields } from '#engine/customers/customer.ts';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Cells, json, minor, whole } from './csv-rows.ts';
import type { Row } from './pages.ts';

/** Turns customers of an export into entries of a project file. */

function prefixed(cells: Cells, prefix: string, read: (cell: string) => unknown): Row | undefined {
  const own = Object.entries(cells).filter(([name]) => name.startsWith(prefix));
  if (own.length === 0) return undefined;
  return Object.fromEntries(own.map(([name, cell]) => [name.slice(prefix.length), read(cell)]));
}

/** Splits a birth date's time off, which some services write. */
const dayOf = (cell: string | undefined) => cell?.slice(0, 10);

const figures = v.record(v.string(), v.looseObject({ referred_customers: v.number() }));

/** Returns the figures that a service has counted. Points and tiers follow from the cards. */
function loyaltyOf({ loyalty, loyalty_referred_customers }: Cells): Row | undefined {
  const referred = whole(loyalty_referred_customers);
  if (!referred) return undefined;
  const shown = json(loyalty);
  const known = v.safeParse(figures, isRecord(shown) ? shown.campaigns : {});
  const campaigns = Object.entries(known.success ? known.output : {}).flatMap(([name, { referred_customers }]) =>
    referred_customers > 0 ? [[name, { referred_customers }] as const] : [],
  );
  return {
    referred_customers: referred,
    ...(campaigns.length > 0 ? { campaigns: Object.fromEntries(campaigns) } : {}),
  };
}

/** Returns the referrals of a customer. Referrals by known codes name the code, because ids of vouchers change. */
function referralsOf({ referrals }: Cells, codes: ReadonlyMap<string, string>): Row {
  const shown = json(referrals);
  const all = isRecord(shown) && Array.isArray(shown.campaigns) ? shown.campaigns.filter(isRecord) : [];
  const coded = all.map((one) => ({ one, code: codes.get(String(one.related_object_id)) }));
  const lost = coded.flatMap(({ one, code }) => (code === undefined ? [one] : []));
  const kept = coded.flatMap(({ one, code }) => (code === undefined ? [] : [{ ...one, related_object_id: code }]));
  return defined({
    referred_in: kept.length > 0 ? kept : undefined,
    referrals: lost.length > 0 ? { total: lost.length, campaigns: lost } : undefined,
  });
}

/** Returns the summary of the columns, which a service may show whole. */
function summaryOf(cells: Cells): Row {
  const shown = json(cells.summary);
  if (isRecord(shown)) return shown;
  const orders = prefixed(cells, 'orders_', (cell) => cell);
  return defined({
    redemptions: prefixed(cells, 'redemptions_', whole),
    orders:
      orders &&
      defined({
        total_count: whole(cells.orders_total_count),
        last_order_date: cells.orders_last_order_date,
        total_amount: minor(cells.orders_total_amount),
        average_amount: minor(cells.orders_average_amount),
        last_order_amount: minor(cells.orders_last_order_amount),
      }),
  });
}

/** Returns an address with all fields, as replies have it. */
function addressOf(cells: Cells): Row | undefined {
  const given = prefixed(cells, 'address_', (cell) => cell);
  return given && { ...Object.fromEntries(addressFields.map((name) => [name, null])), ...given };
}

export function toCustomer(cells: Cells, codes: ReadonlyMap<string, string>): Row {
  const { id, source_id, name, description, email, phone, birthday, birthdate, created_at, updated_at } = cells;
  return defined({
    ...{ id, source_id, name, description, email, phone, created_at, updated_at },
    birthday: dayOf(birthday),
    birthdate: dayOf(birthdate),
    address: addressOf(cells),
    metadata: json(cells.metadata),
    system_metadata: json(cells.system_metadata),
    summary: summaryOf(cells),
    loyalty: loyaltyOf(cells),
    ...referralsOf(cells, codes),
  });
}
