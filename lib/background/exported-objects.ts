import * as v from 'valibot';
import { exportedProducts, exportedSkus } from '../catalogue/products/exported.ts';
import { exportedOrders } from '../checkout/orders/exported.ts';
import { exportedRedemptions } from '../checkout/redemptions/exported.ts';
import { object } from '../core/schema.ts';
import { exportedCustomers } from '../customers/exports/customers.ts';
import { type ExportedObject, sentBom } from '../kit/exports/exported-object.ts';
import { exportedPublications } from '../publishing/exported.ts';
import { exportedExpirations } from '../vouchers/exports/expirations.ts';
import { exportedTransactions } from '../vouchers/exports/transactions.ts';
import { exportedVouchers } from '../vouchers/exports/vouchers.ts';

/** Lists all exportable objects. */
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

function bodyOf(it: ExportedObject) {
  return object({ exported_object: v.literal(it.object), parameters: v.optional(it.parameters), ...sentBom });
}

const [first, ...others] = exportedObjects;

/** The object of an export, with its parameters. */
export const exportBody = v.variant('exported_object', [bodyOf(first), ...others.map(bodyOf)]);

export function findExportedObject({ exported_object }: v.InferOutput<typeof exportBody>): ExportedObject {
  return exportedObjects.find((one) => one.object === exported_object) ?? first;
}
