import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Cells, json, minor } from './csv-rows.ts';
import type { Row } from './pages.ts';

/** Turns orders of the source into entries of a project file. */

const earned: ReadonlySet<string> = new Set(['PAID', 'FULFILLED']);

/** An order earns once. A paid one has done so. */
const paidAt = (status: string, changedAt: unknown) => (earned.has(status) ? changedAt : undefined);

function sumAmounts(items: readonly Row[]): number | undefined {
  const amounts = items.map(({ amount }) => amount);
  return amounts.every((amount) => typeof amount === 'number') ? amounts.reduce((sum, one) => sum + one, 0) : undefined;
}

/** Returns an order of the list. An amount that does not follow from its lines was sent. */
export function toWholeOrder(row: Row): Row {
  const items = Array.isArray(row.items) ? row.items.filter(isRecord) : [];
  const amount = typeof row.amount === 'number' ? row.amount : undefined;
  const given = Object.entries(row).filter(([, value]) => value !== null);
  return defined({
    ...Object.fromEntries(given),
    items: items.map((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))),
    sent: items.length > 0 && sumAmounts(items) === amount ? undefined : defined({ amount }),
    paid_at: paidAt(String(row.status), row.updated_at ?? row.created_at),
  });
}

/**
 * Returns an order of the export. Without the lines that some services write, the order keeps its amount as the sent
 * amount.
 */
export function toOrder(cells: Cells): Row {
  const items = json(cells.items);
  if (!Array.isArray(items)) return toOrderWithoutLines(cells);
  const { sent: _, ...order } = toOrderWithoutLines(cells);
  const redemptions = json(cells.redemptions);
  return toWholeOrder(defined({ ...order, items, redemptions, initial_amount: minor(cells.initial_amount) }));
}

function toOrderWithoutLines(cells: Cells): Row {
  const { id, source_id, status = 'CREATED', customer_id, referrer_id, created_at, updated_at } = cells;
  const amount = minor(cells.amount);
  const discount_amount = minor(cells.discount_amount);
  return defined({
    ...{
      id,
      source_id,
      status,
      customer_id,
      referrer_id,
      created_at,
      updated_at,
      amount,
      discount_amount,
    },
    items_discount_amount: minor(cells.items_discount_amount),
    total_discount_amount: minor(cells.total_discount_amount),
    total_amount: minor(cells.total_amount),
    metadata: json(cells.metadata),
    sent: defined({ amount }),
    paid_at: paidAt(status, updated_at ?? created_at),
  });
}
