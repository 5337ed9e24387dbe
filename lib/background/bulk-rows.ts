import { productsBulk, productsMetadata } from '../catalogue/products/bulk.ts';
import { productsCsv, skusCsv } from '../catalogue/products/import-csv.ts';
import { ordersImport } from '../checkout/orders/import-orders.ts';
import { customersBulk, customersMetadata } from '../customers/bulk.ts';
import { customersCsv } from '../customers/import-csv.ts';
import { createBulkWork } from '../kit/bulk/work.ts';
import { vouchersBulk, vouchersMetadata } from '../vouchers/bulk.ts';
import { campaignVouchersCsv, vouchersCsv } from '../vouchers/import/csv.ts';
import { campaignVouchersImport, vouchersImport } from '../vouchers/import/rows.ts';

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
