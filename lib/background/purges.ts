import { purgeProduct, purgeSku } from '../catalogue/products/bin.ts';
import type { BinnedType } from '../kit/bin/bin-entry.ts';
import type { Purge } from '../kit/bin/delete-bin-entry.ts';
import { purgeCampaign } from '../publishing/campaign-deletion/delete-campaign.ts';
import { purgeVoucher } from '../vouchers/delete-voucher.ts';

/** Lists all kinds that can be in the bin. */
export const purges: Readonly<Partial<Record<BinnedType, Purge>>> = {
  campaign: purgeCampaign,
  voucher: purgeVoucher,
  product: purgeProduct,
  sku: purgeSku,
};
