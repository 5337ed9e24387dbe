import type { CampaignItem } from '../campaigns/campaign.ts';
import { ServiceError } from '../errors.ts';
import type { VoucherItem } from './voucher.ts';

/** Why a voucher can't be used now, if so. It takes its expiration date from its campaign where it has none (ruling D.7). */
export function unusable(
  { active, expiration_date }: VoucherItem,
  campaign: CampaignItem | undefined,
  now: Date,
): { key: 'voucher_disabled' | 'voucher_expired'; fault: string } | undefined {
  if (active === false) return { key: 'voucher_disabled', fault: 'is not active' };
  const end = expiration_date ?? campaign?.expiration_date;
  return end && end < now.toISOString() ? { key: 'voucher_expired', fault: `has expired, on ${end}` } : undefined;
}

/** 400 `voucher_disabled` or `voucher_expired`; `place`: where the request names the voucher. */
export function checkUsable(
  item: VoucherItem,
  campaign: CampaignItem | undefined,
  { now, place }: { now: Date; place: string },
): void {
  const refusal = unusable(item, campaign, now);
  if (!refusal) return;
  throw new ServiceError(refusal.key, {
    details: `${place} ${refusal.fault}`,
    resource: { id: item.code, type: 'voucher' },
  });
}
