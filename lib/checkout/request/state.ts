import type { CampaignTerms } from '../../campaigns/campaign-terms.ts';
import { firstLockEnds, isLockInUse } from '../../http/holds/locks.ts';
import type { Refusal } from '../../rules/benefit.ts';
import { tierRefusal, voucherRefusal } from '../../rules/validity/usable.ts';
import { isReferralCode } from '../../vouchers/referral-code.ts';
import type { VoucherItem } from '../../vouchers/voucher.ts';
import { campaignIdOf, type Target } from './targets.ts';

/** What of a redeemable itself lets it be used, whatever the order: the first that is not so is answered. */

interface About {
  readonly campaign: CampaignTerms | undefined;
  /** Of somebody who is new, one that nobody has yet. */
  readonly customerId: string | undefined;
  /** Uses that sessions of others keep. */
  readonly locked: number;
  /** By the key of the session that asks. */
  readonly session: string | undefined;
  /** A page is told that something can't be used, and not from when to when it can. */
  readonly isForPage: boolean;
  readonly now: Date;
}

function missing({ asked: { object, id } }: Target): Refusal {
  return { key: 'not_found', details: `Cannot find ${object} with id ${id}` };
}

/** Uses that a voucher has left; of one without a limit there is no end. */
function leftOf({ redemption_quantity, redeemed_quantity }: VoucherItem): number {
  return (redemption_quantity ?? Number.POSITIVE_INFINITY) - redeemed_quantity;
}

/** Says whether it pays to come again: a session's lock ends, a use does not come back. */
function whyNoneIsLeft(item: VoucherItem, stored: Target['stored'], { campaign, session, now }: About): string {
  const { code, redemption_quantity: limit, redeemed_quantity: used } = item;
  if (leftOf(item) < 1) return `${code} (used up: redeemed ${used} of ${limit} times)`;
  const ends = firstLockEnds(stored, { except: session, now, endedAround: campaign?.sessions_ended ?? 0 });
  return `${code} (a session holds it until ${ends})`;
}

/** Clients compare these words. */
export const mustHold = 'Customer must be a holder of a loyalty card.';

function voucherState(item: VoucherItem, stored: Target['stored'], about: About): Refusal | undefined {
  const { campaign, customerId, locked, session, now } = about;
  const refusal = voucherRefusal(item, campaign, now);
  if (refusal) return { key: refusal.key, details: about.isForPage ? item.code : `${item.code} ${refusal.fault}` };
  if (session !== undefined && isLockInUse(stored, session, now)) {
    return { key: 'multiple_requests', details: `${item.code} is being redeemed by another request of this session` };
  }
  if (leftOf(item) - locked < 1) return { key: 'quantity_exceeded', details: whyNoneIsLeft(item, stored, about) };
  const isHolder = customerId !== undefined && customerId === item.holder_id;
  if (isReferralCode(item, campaign) && isHolder)
    return { key: 'referrer_not_permitted_to_redeem', details: item.code };
  const isCard = item.type === 'LOYALTY_CARD';
  if (isCard && customerId !== undefined && !isHolder) {
    return { key: 'invalid_customer', details: mustHold };
  }
  return undefined;
}

/** Why it can't be used at all. */
export function stateRefusal(target: Target, about: About): Refusal | undefined {
  const { voucher, tier } = target;
  const { campaign, isForPage, now } = about;
  if (!voucher && !tier) return missing(target);
  if (campaignIdOf(target) && !campaign) return missing(target);
  if (voucher) return voucherState(voucher, target.stored, about);
  const refusal = tier && tierRefusal(tier, campaign, now);
  if (!refusal) return undefined;
  if (isForPage) return { key: refusal.key, details: tier.id };
  const details =
    refusal.key === 'promotion_inactive'
      ? `Promotion Tier with id: ${tier.id} is disabled.`
      : `the promotion tier ${tier.id} ${refusal.fault}`;
  return { key: refusal.key, details };
}
