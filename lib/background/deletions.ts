import { productCascade } from '../catalogue/products/delete-product.ts';
import { customerCascade } from '../customers/delete-customer.ts';
import { createDeletionWork } from '../kit/deletion/work.ts';
import { voucherCascade } from '../vouchers/remove-voucher.ts';

/** Lists all kinds that are deleted with their children. */
export const deletions = createDeletionWork({
  customer: customerCascade,
  product: productCascade,
  voucher: voucherCascade,
});
