import * as v from 'valibot';
import { type Discount, discount } from '#engine/rules/discounts/discount.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import type { CellForm } from '#kernel/kit/bulk/cell-form.ts';
import {
  csvError,
  parseMinorUnits,
  parsePercent,
  parseWholeNumber,
  type ReadCell,
} from '#kernel/kit/bulk/csv-cells.ts';
import { requireValue, type VoucherRow } from './row.ts';

/** Names the value's field for each type of discount, and the reader of its column. */
const figures = new Map<string, { name: string; read: ReadCell }>([
  ['AMOUNT', { name: 'amount_off', read: parseMinorUnits }],
  ['FIXED', { name: 'fixed_amount', read: parseMinorUnits }],
  ['PERCENT', { name: 'percent_off', read: parsePercent }],
  ['UNIT', { name: 'unit_off', read: parseWholeNumber }],
]);

const readEffect = ({ discount_effect, discount_unit_effect }: VoucherRow) => discount_effect || discount_unit_effect;

/** Returns whether the row needs no value, because a formula or several kinds of units set the discount. */
function needsNoValue(row: VoucherRow): boolean {
  const { formula, discount_type, discount_units } = row;
  if (discount_type === 'UNIT' && (discount_units || formula)) return true;
  return Boolean(formula) && discount_type === 'FIXED' && readEffect(row) === 'APPLY_TO_ITEMS';
}

function dropEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the discount of the row. The type decides whether its value is a percentage, a number of units, or an amount in major units. */
export function readRowDiscount(row: VoucherRow, form: CellForm): Discount {
  const given = needsNoValue(row) ? row.value : requireValue(row.value, 'value');
  const type = requireValue(row.discount_type, 'discount_type');
  const figure = figures.get(type);
  const ofUnits = { unit_type: row.discount_unit_type, units: row.discount_units };
  const checked = v.safeParse(
    discount,
    dropEmpty({
      type,
      ...(figure && given ? { [figure.name]: figure.read(given, 'value', form) } : {}),
      ...(figure ? { [`${figure.name}_formula`]: row.formula || undefined } : {}),
      effect: readEffect(row) || undefined,
      amount_limit: row.discount_amount_limit,
      aggregated_amount_limit: row.discount_aggregated_amount_limit,
      ...(type === 'UNIT' ? ofUnits : {}),
    }),
  );
  if (!checked.success) throw csvError(...describeIssues(checked.issues, 'discount'));
  if (checked.output.type === 'UNIT' && checked.output.unit_off === 0) throw csvError('value must be 1 or more units');
  return checked.output;
}
