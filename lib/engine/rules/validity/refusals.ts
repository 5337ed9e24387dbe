import type { ErrorKey } from '#kernel/core/errors.ts';
import { isInWindows, isOnDays } from '#kernel/core/hours.ts';
import { readTimezone } from '#kernel/core/local-time.ts';
import { isInTimeframe } from '#kernel/core/timeframe.ts';
import { type CampaignValidity, inheritValidity, layerValidity, type Validity } from './validity.ts';

/** A voucher or a promotion tier, which may belong to a campaign. */
export interface OfCampaign extends Validity {
  active?: boolean | null | undefined;
  campaign_id?: string | null | undefined;
}

export interface UsableCampaign extends CampaignValidity {
  active?: boolean | null | undefined;
}

type Obstacle = 'gone' | 'off' | 'campaignOff' | 'notBegun' | 'over' | 'notNow';

/** The error keys in the order of precedence. */
const voucherKeys = {
  gone: 'not_found',
  off: 'voucher_disabled',
  campaignOff: 'campaign_not_active',
  notBegun: 'voucher_not_active',
  over: 'voucher_expired',
  notNow: 'voucher_not_active_now',
} as const satisfies Record<Obstacle, ErrorKey>;

const tierKeys = {
  gone: 'not_found',
  off: 'promotion_inactive',
  campaignOff: 'campaign_not_active',
  notBegun: 'promotion_not_active_now',
  over: 'promotion_not_active_now',
  notNow: 'promotion_not_active_now',
} as const satisfies Record<Obstacle, ErrorKey>;

export type VoucherRefusalKey = (typeof voucherKeys)[Obstacle];
export type TierRefusalKey = (typeof tierKeys)[Obstacle];

export const voucherRefusalKeys: readonly VoucherRefusalKey[] = Object.values(voucherKeys);

/** The reason for a refusal. `fault` is the text that follows the place. */
export interface ValidityRefusal<K extends ErrorKey> {
  key: K;
  fault: string;
}

/**
 * Returns whether the moment is in the timeframe. It counts from the start date of the same layer, else from the next
 * inherited start date, else from any.
 */
function isInFrame(layers: readonly Validity[], now: Date): boolean {
  const at = layers.findIndex(({ validity_timeframe }) => validity_timeframe);
  const timeframe = layers[at]?.validity_timeframe;
  const start = [...layers.slice(at), ...layers.slice(0, at)].find(({ start_date }) => start_date)?.start_date;
  return !timeframe || !start || isInTimeframe(timeframe, new Date(start), now);
}

/** Returns the first obstacle. Dates in ISO 8601, UTC with milliseconds, compare as text. Both dates are included. */
function obstacleOf(
  own: OfCampaign,
  campaign: UsableCampaign | undefined,
  now: Date,
): [obstacle: Obstacle, fault: string] | undefined {
  if (own.campaign_id && !campaign) return ['gone', 'no longer has a campaign'];
  if (own.active === false) return ['off', 'is not active'];
  if (campaign?.active === false) return ['campaignOff', 'belongs to a campaign that is not active'];

  const time = now.toISOString();
  const sides = [
    { layers: layerValidity(own, campaign), ...inheritValidity(own, campaign), whose: '' },
    ...(campaign ? [{ layers: [campaign], ...inheritValidity(campaign, undefined), whose: ', by its campaign' }] : []),
  ];
  for (const { start_date, whose } of sides) {
    if (start_date && time < start_date) return ['notBegun', `can be used from ${start_date} on${whose}`];
  }
  for (const { expiration_date, whose } of sides) {
    if (expiration_date && expiration_date < time) return ['over', `has expired, on ${expiration_date}${whose}`];
  }
  for (const { layers, validity_day_of_week, validity_hours, whose } of sides) {
    if (!isInFrame(layers, now)) return ['notNow', `can't be used now: its timeframe is between two periods${whose}`];
    if (!isOnDays(validity_day_of_week, now))
      return ['notNow', `can't be used on this day of the week (${readTimezone(now)})${whose}`];
    if (!isInWindows(validity_hours?.daily, now))
      return ['notNow', `can't be used at this hour (${readTimezone(now)})${whose}`];
  }
  return undefined;
}

/**
 * Returns why a voucher cannot be used at a moment. All uses of vouchers share this check (docs/vouchers.md#usable). A
 * voucher without its own limit has its campaign's.
 */
export function findVoucherRefusal(
  voucher: OfCampaign,
  campaign: UsableCampaign | undefined,
  now: Date,
): ValidityRefusal<VoucherRefusalKey> | undefined {
  const [obstacle, fault = ''] = obstacleOf(voucher, campaign, now) ?? [];
  return obstacle && { key: voucherKeys[obstacle], fault };
}

/** Returns why a promotion tier cannot be used at a moment. */
export function findTierRefusal(
  tier: OfCampaign,
  campaign: UsableCampaign | undefined,
  now: Date,
): ValidityRefusal<TierRefusalKey> | undefined {
  const [obstacle, fault = ''] = obstacleOf(tier, campaign, now) ?? [];
  return obstacle && { key: tierKeys[obstacle], fault };
}
