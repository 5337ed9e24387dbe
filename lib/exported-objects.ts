import * as v from 'valibot';
import { exportedCustomers } from './customer-exports/customers.ts';
import type { Exported } from './exports/exported.ts';
import { exportedOrders } from './orders/exported.ts';
import { exportedProducts, exportedSkus } from './products/exported.ts';
import { exportedPublications } from './publications/exported.ts';
import { exportedRedemptions } from './redemptions/exported.ts';
import { object } from './schema.ts';
import { exportedExpirations } from './voucher-exports/expirations.ts';
import { exportedTransactions } from './voucher-exports/transactions.ts';
import { exportedVouchers } from './voucher-exports/vouchers.ts';

/** Everything that can be exported. */
export const exportedObjects = [
  exportedCustomers,
  exportedOrders,
  exportedProducts,
  exportedSkus,
  exportedVouchers,
  exportedTransactions,
  exportedExpirations,
  exportedPublications,
  exportedRedemptions,
] as const;

function bodyOf(it: Exported) {
  return object({ exported_object: v.literal(it.object), parameters: v.optional(it.parameters) });
}

const [first, ...others] = exportedObjects;

/** Which object, and what of it. */
export const exportBody = v.variant('exported_object', [bodyOf(first), ...others.map(bodyOf)]);

export function exportedIn({ exported_object }: v.InferOutput<typeof exportBody>): Exported {
  return exportedObjects.find((one) => one.object === exported_object) ?? first;
}
