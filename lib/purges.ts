import type { BinnedType } from './bin/bin-entry.ts';
import type { Purge } from './bin/delete-bin-entry.ts';
import { purgeCampaign } from './campaign-deletion/delete-campaign.ts';
import { purgeProduct, purgeSku } from './products/bin.ts';
import { purgeVoucher } from './vouchers/delete-voucher.ts';

/** Everything that can be in the bin. */
export const purges: Readonly<Partial<Record<BinnedType, Purge>>> = {
  campaign: purgeCampaign,
  voucher: purgeVoucher,
  product: purgeProduct,
  sku: purgeSku,
};
