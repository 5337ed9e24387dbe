import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { findFirstLockEnd, isLockInUse } from '#engine/holds/locks.ts';
import type { Refusal } from '#engine/rules/benefit.ts';
import { findTierRefusal, findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { isReferralCode, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { readCampaignId, type Target } from './targets.ts';

/** Checks whether a redeemable itself can be used, for any order. The first obstacle is reported. */

interface About {
  readonly campaign: CampaignTerms | undefined;
  /** The id of the customer. A new customer's id holds no card yet. */
  readonly customerId: string | undefined;
  /** The ids of the customers that were merged into this customer. A job moves their cards. */
  readonly mergedIds?: readonly string[] | undefined;
  /** True if the holder of the referral code is the customer's person, under another account. */
  readonly isOwnReferral?: boolean | undefined;
  /** The uses that other sessions lock. */
  readonly locked: number;
  /** The key of the request's session. */
  readonly session: string | undefined;
  /** True if a browser calls. It learns that the redeemable is unusable, but not the dates. */
  readonly isForBrowser: boolean;
  readonly now: Date;
}

function missing({ asked: { object, id } }: Target): Refusal {
  return { key: 'not_found', details: `Cannot find ${object} with id ${id}` };
}

/** Returns the remaining uses of a voucher, infinite without a limit. */
function leftOf({ redemption_quantity, redeemed_quantity }: VoucherItem): number {
  return (redemption_quantity ?? Number.POSITIVE_INFINITY) - redeemed_quantity;
}

/** Returns why no use is left, and whether a retry can succeed: a session's lock ends, but uses do not return. */
function whyNoneIsLeft(item: VoucherItem, stored: Target['stored'], { campaign, session, now }: About): string {
  const { code, redemption_quantity: limit, redeemed_quantity: used } = item;
  if (leftOf(item) < 1) return `${code} (used up: redeemed ${used} of ${limit} times)`;
  const ends = findFirstLockEnd(stored, { except: session, now, endedAround: campaign?.sessions_ended ?? 0 });
  return `${code} (a session holds it until ${ends})`;
}

/** Clients compare these words. */
export const mustHold = 'Customer must be a holder of a loyalty card.';

function voucherState(item: VoucherItem, stored: Target['stored'], about: About): Refusal | undefined {
  const { campaign, customerId, locked, session, now } = about;
  const refusal = findVoucherRefusal(item, campaign, now);
  if (refusal) return { key: refusal.key, details: about.isForBrowser ? item.code : `${item.code} ${refusal.fault}` };
  if (session !== undefined && isLockInUse(stored, session, now)) {
    return { key: 'multiple_requests', details: `${item.code} is being redeemed by another request of this session` };
  }
  if (leftOf(item) - locked < 1) return { key: 'quantity_exceeded', details: whyNoneIsLeft(item, stored, about) };
  const isMerged = about.mergedIds?.some((id) => id === item.holder_id) ?? false;
  const isHolder = isMerged || (customerId !== undefined && customerId === item.holder_id);
  if (about.isOwnReferral || (isReferralCode(item, campaign) && isHolder))
    return { key: 'referrer_not_permitted_to_redeem', details: item.code };
  const isCard = item.type === 'LOYALTY_CARD';
  if (isCard && customerId !== undefined && !isHolder) {
    return { key: 'invalid_customer', details: mustHold };
  }
  return undefined;
}

/** Returns why it cannot be used at all. */
export function findStateRefusal(target: Target, about: About): Refusal | undefined {
  const { voucher, tier } = target;
  const { campaign, isForBrowser, now } = about;
  if (!voucher && !tier) return missing(target);
  if (readCampaignId(target) && !campaign) return missing(target);
  if (voucher) return voucherState(voucher, target.stored, about);
  const refusal = tier && findTierRefusal(tier, campaign, now);
  if (!refusal) return undefined;
  if (isForBrowser) return { key: refusal.key, details: tier.id };
  const details =
    refusal.key === 'promotion_inactive'
      ? `Promotion Tier with id: ${tier.id} is disabled.`
      : `the promotion tier ${tier.id} ${refusal.fault}`;
  return { key: refusal.key, details };
}
