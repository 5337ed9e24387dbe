import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { OrderLine } from '../orders/line.ts';
import type { OrderItem } from '../orders/resource.ts';
import type { Units } from './refund.ts';
import type { AskedReturn, ReturnBody } from './return-body.ts';
import type { SoldOrder } from './sold-order.ts';
import { figuresOf, wholeOf } from './units.ts';

/** Finds the lines and units that a request names. */

type AskedUnits = NonNullable<ReturnBody['items']>[number];

const names = ['id', 'source_id', 'product_id', 'sku_id'] as const;

function isNamed(asked: AskedUnits, line: OrderLine | undefined, id: string): boolean {
  if (asked.id) return id === asked.id;
  if (!line) return false;
  const { source_id, product_id, sku_id, product, sku } = line;
  const known: Record<string, readonly (string | undefined)[]> = {
    source_id: [source_id, product?.source_id, sku?.source_id],
    product_id: [product_id, product?.id],
    sku_id: [sku_id, sku?.id],
  };
  return names.some((name) => asked[name] && known[name]?.includes(asked[name]));
}

/** Says how much of the order is left to return. */
function explainLeft({ lines }: SoldOrder): string {
  const left = lines.map((line) =>
    line.isByValue
      ? `an amount of ${figuresOf(line, wholeOf(line)).net - figuresOf(line, line.returned).net}`
      : `${line.quantity - line.returned} of ${line.id}`,
  );
  const shown = left.slice(0, 20).join(', ');
  return left.length > 20 ? `${shown} and ${left.length - 20} more lines` : shown;
}

function exceeds(place: string, sold: SoldOrder): ServiceError {
  return new ServiceError('return_exceeds_order', {
    details: `${place} is more than is left of the order: it has ${explainLeft(sold)}`,
  });
}

function invalid(details: string): ServiceError {
  return new ServiceError('invalid_payload', { details });
}

function unitsOf(asked: readonly AskedUnits[], item: OrderItem, sold: SoldOrder): Units {
  const units = new Map<number, number>();
  const faults: string[] = [];
  for (const [place, one] of asked.entries()) {
    const name = names.find((known) => one[known]);
    const named = sold.lines.flatMap((line, index) => (isNamed(one, item.items[index], line.id) ? [index] : []));
    if (!name) faults.push(`items[${place}] must have id, source_id, product_id or sku_id`);
    else if (named.length === 0) faults.push(`items[${place}].${name} names no line of the order`);
    let open = one.quantity;
    for (const index of named.toReversed()) {
      const line = sold.lines[index];
      const left = line ? Math.max(0, line.quantity - line.returned - (units.get(index) ?? 0)) : 0;
      // The value that is left of an order without lines is one unit.
      const taken = line?.isByValue ? Math.min(1, open) : Math.min(left, open);
      if (line && taken > 0)
        units.set(index, line.isByValue ? wholeOf(line) - line.returned : (units.get(index) ?? 0) + taken);
      open -= taken;
    }
    if (named.length > 0 && open > 0 && faults.length === 0) throw exceeds(`items[${place}].quantity`, sold);
  }
  if (faults.length > 0) throw invalid(joinFaults(faults));
  return units;
}

/** Returns all units that are left. */
function allLeft({ lines }: SoldOrder): Units {
  return new Map(
    lines.flatMap((line, index) => (wholeOf(line) > line.returned ? [[index, wholeOf(line) - line.returned]] : [])),
  );
}

/** Returns the units of the request. 400 if it names unknown lines, or more than is left. */
export function readUnits({ items, amount, isWhole }: AskedReturn, item: OrderItem, sold: SoldOrder): Units {
  if (isWhole) return allLeft(sold);
  const isSent = typeof amount === 'number';
  if (items && isSent) throw invalid('items and amount must not both be sent');
  if (items?.length) return unitsOf(items, item, sold);
  if (!isSent) throw invalid('items must name the lines to return, or amount a value of an order without lines');
  const index = sold.lines.findIndex(({ isByValue }) => isByValue);
  const line = sold.lines[index];
  if (!line) throw invalid('amount must be left out, because the order has lines: send items');
  const left = addUp([wholeOf(line)], (whole) => whole - line.returned);
  if (amount > left) throw exceeds('amount', sold);
  if (amount === 0 && left > 0) throw invalid('amount must be 1 or more');
  return new Map([[index, amount]]);
}
