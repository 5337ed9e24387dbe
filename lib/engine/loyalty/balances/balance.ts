import * as v from 'valibot';
import { readEntryBalance } from '#engine/ledger/entry-balance.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { named } from '#kernel/core/documented.ts';
import { count, identifier, integer, longText, nullable, object } from '#kernel/core/schema.ts';

/** Changes a balance. `amount` is in points or a gift card's minor currency units, and is negative to subtract. */
export const adjustBalanceBody = object({
  amount: v.pipe(
    integer,
    v.check((amount) => amount !== 0, 'must not be 0'),
  ),
  source_id: nullable(identifier),
  reason: nullable(longText),
});

export type AdjustBalanceBody = v.InferOutput<typeof adjustBalanceBody>;

/** Shows the change as `amount`, all that was ever credited as `total`, and the rest as `balance`. */
export const voucherBalance = named(
  'VoucherBalance',
  v.object({
    amount: integer,
    total: count,
    balance: count,
    type: v.picklist(['gift_voucher', 'loyalty_card']),
    operation_type: v.literal('MANUAL'),
    object: v.literal('balance'),
    related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
  }),
);

/** Shows the change of points alone. */
export const memberBalance = named(
  'MemberBalance',
  v.object({ ...v.omit(voucherBalance, ['amount', 'type']).entries, points: integer, type: v.literal('loyalty_card') }),
);

export function presentPoints(entry: LedgerEntry): v.InferOutput<typeof memberBalance> {
  return { points: entry.points, ...readEntryBalance(entry), type: 'loyalty_card', operation_type: 'MANUAL' };
}

export function presentBalance(entry: LedgerEntry): v.InferOutput<typeof voucherBalance> {
  return { amount: entry.points, ...readEntryBalance(entry), operation_type: 'MANUAL' };
}
