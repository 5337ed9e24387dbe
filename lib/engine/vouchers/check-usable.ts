import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { VoucherItem } from './voucher.ts';

/** Refuses a voucher that can't be used now. `place` is the voucher's place in the request. */
export function checkUsable(
  item: VoucherItem,
  campaign: CampaignTerms | undefined,
  { now, place }: { now: Date; place: string },
): void {
  const refusal = findVoucherRefusal(item, campaign, now);
  if (!refusal) return;
  throw new ServiceError(refusal.key, {
    details: `${place} ${refusal.fault}`,
    resource: { id: item.code, type: 'voucher' },
  });
}
