import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { ServiceError } from '../core/errors.ts';
import { findVoucherRefusal } from '../rules/validity/refusals.ts';
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
