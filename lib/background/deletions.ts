import { productCascade } from '../catalogue/products/delete-product.ts';
import { customerCascade } from '../customers/delete-customer.ts';
import { deletionWork } from '../kit/deletion/work.ts';
import { voucherCascade } from '../vouchers/voucher-gone.ts';

/** Lists all kinds that are deleted with their children. */
export const deletions = deletionWork({
  customer: customerCascade,
  product: productCascade,
  voucher: voucherCascade,
});
