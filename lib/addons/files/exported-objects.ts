import * as v from 'valibot';
import { exportedProducts, exportedSkus } from '#engine/catalogue/products/exported.ts';
import { exportedOrders } from '#engine/checkout/orders/exported.ts';
import { exportedRedemptions } from '#engine/checkout/redemptions/exported.ts';
import { exportedReturns } from '#engine/checkout/returns/exported.ts';
import { exportedCustomers } from '#engine/customers/exports/customers.ts';
import { exportedPublications } from '#engine/publishing/exported.ts';
import { exportedExpirations } from '#engine/vouchers/exports/expirations.ts';
import { exportedTransactions } from '#engine/vouchers/exports/transactions.ts';
import { exportedVouchers } from '#engine/vouchers/exports/vouchers.ts';
import { object } from '#kernel/core/schema.ts';
import { type ExportedObject, sentBom } from '#kernel/kit/exports/exported-object.ts';

/** Lists all exportable objects. */
export const exportedObjects = [
  exportedCustomers,
  exportedOrders,
  exportedReturns,
  exportedProducts,
  exportedSkus,
  exportedVouchers,
  exportedTransactions,
  exportedExpirations,
  exportedPublications,
  exportedRedemptions,
] as const;

function bodyOf(it: ExportedObject) {
  return object({ exported_object: v.literal(it.object), parameters: v.optional(it.parameters), ...sentBom });
}

const [first, ...others] = exportedObjects;

/** The object of an export, with its parameters. */
export const exportBody = v.variant('exported_object', [bodyOf(first), ...others.map(bodyOf)]);

export function findExportedObject({ exported_object }: v.InferOutput<typeof exportBody>): ExportedObject {
  return exportedObjects.find((one) => one.object === exported_object) ?? first;
}
