import { productCascade } from '#engine/catalogue/products/delete-product.ts';
import { customerCascade } from '#engine/customers/delete-customer.ts';
import { voucherCascade } from '#engine/vouchers/remove-voucher.ts';
import { createDeletionWork } from '#kernel/kit/deletion/work.ts';

/** Lists all kinds that are deleted with their children. */
export const deletions = createDeletionWork({
  customer: customerCascade,
  product: productCascade,
  voucher: voucherCascade,
});
