import { productsBulk, productsMetadata } from '#engine/catalogue/products/bulk.ts';
import { productsCsv, skusCsv } from '#engine/catalogue/products/import-csv.ts';
import { ordersImport } from '#engine/checkout/orders/import-orders.ts';
import { customersBulk, customersMetadata } from '#engine/customers/bulk.ts';
import { customersCsv } from '#engine/customers/import-csv.ts';
import { vouchersBulk, vouchersMetadata } from '#engine/vouchers/bulk.ts';
import { campaignVouchersCsv, vouchersCsv } from '#engine/vouchers/import/csv.ts';
import { campaignVouchersImport, vouchersImport } from '#engine/vouchers/import/rows.ts';
import { createBulkWork } from '#kernel/kit/bulk/work.ts';

/** Lists all work that runs row by row. */
export const bulkRows = createBulkWork([
  customersBulk,
  customersCsv,
  customersMetadata,
  ordersImport,
  productsBulk,
  productsCsv,
  productsMetadata,
  skusCsv,
  campaignVouchersCsv,
  campaignVouchersImport,
  vouchersBulk,
  vouchersCsv,
  vouchersImport,
  vouchersMetadata,
]);
