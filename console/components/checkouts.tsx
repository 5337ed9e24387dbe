import type { ComponentChildren } from 'preact';
import type { Checkout } from '../core/checkouts.ts';
import { discountOf } from '../core/day-events.ts';
import { count, human, money, time } from '../core/format.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { State } from './bits.tsx';
import { type Column, Table } from './table.tsx';

const w = words.redemptions;

/** Returns the code or the name of the redeemed object. */
export const nameOf = ({ voucher, promotion_tier: tier, related_object_id: id }: Redemption) =>
  voucher?.code ?? tier?.name ?? id ?? '–';

/** Returns what a checkout took off. */
const discountIn = ({ parts }: Checkout) => parts.reduce((sum, one) => sum + discountOf(one), 0);

/** Lists the codes and promotions of a checkout in one row. */
export function CheckoutNames({ of: { parts } }: { of: Checkout }) {
  return (
    <span class="parts">
      {parts.map((one) => (
        <code key={one.id}>{nameOf(one)}</code>
      ))}
      {parts.length > 1 && <small>{w.together(count(parts.length))}</small>}
    </span>
  );
}

export function CustomerLink({ of: { customer } }: { of: Redemption }) {
  if (!customer) return <>–</>;
  return (
    <a href={path('customers', customer.id)}>{customer.name ?? customer.email ?? customer.source_id ?? w.unnamed}</a>
  );
}

export function OrderLink({ of: { order } }: { of: Redemption }): ComponentChildren {
  if (!order?.id) return <>–</>;
  return <a href={`${path('orders')}?open=${order.id}`}>{order.source_id ?? money(order.amount)}</a>;
}

const whyOf = ({ failure_code: code }: Redemption) => (code ? human(code) : '');

/** Are the columns of a checkout that every list of checkouts has. */
export const checkoutColumns: readonly Column<Checkout, 'created_at'>[] = [
  { title: words.moment, order: 'created_at', cell: ({ whole }) => time(whole.date) },
  { title: w.what, cell: (one) => <CheckoutNames of={one} /> },
  { title: words.customer, isExtra: true, cell: ({ whole }) => <CustomerLink of={whole} /> },
  { title: words.order, isExtra: true, cell: ({ whole }) => <OrderLink of={whole} /> },
  { title: words.state, cell: ({ whole }) => <State of={whole.status} /> },
  { title: w.why, isExtra: true, cell: ({ whole }) => whyOf(whole) },
  { title: words.today.discount, isNumber: true, cell: (one) => money(discountIn(one)) },
  { title: w.toPay, isNumber: true, isExtra: true, cell: ({ whole }) => money(whole.order?.total_amount) },
];

/** Shows checkouts in a panel. The moment opens a checkout. */
export function CheckoutTable({ rows }: { rows: readonly Checkout[] }) {
  const [moment, ...others] = checkoutColumns;
  const opening: Column<Checkout> = {
    title: moment?.title ?? '',
    cell: ({ whole }) => <a href={`${path('redemptions')}?open=${whole.id}`}>{time(whole.date)}</a>,
  };
  return <Table rows={rows} idOf={({ whole }) => whole.id} columns={[opening, ...others]} />;
}
