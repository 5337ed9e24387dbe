import { purgeProduct, purgeSku } from '#engine/catalogue/products/bin.ts';
import { purgeCampaign } from '#engine/publishing/campaign-deletion/delete-campaign.ts';
import { purgeVoucher } from '#engine/vouchers/delete-voucher.ts';
import type { BinnedType } from '#kernel/kit/bin/bin-entry.ts';
import type { Purge } from '#kernel/kit/bin/delete-bin-entry.ts';

/** Lists all kinds that can be in the bin. */
export const purges: Readonly<Partial<Record<BinnedType, Purge>>> = {
  campaign: purgeCampaign,
  voucher: purgeVoucher,
  product: purgeProduct,
  sku: purgeSku,
};
