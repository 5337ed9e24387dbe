import { isConvertedByRedemption, listRewardingCampaigns } from '#engine/campaigns/campaign.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findCustomerById, findHeldCards } from '#engine/customers/find-customer.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import type { Programmes } from '#engine/loyalty/earning/earning-programmes.ts';
import { type Converted, canBring, convert } from '#engine/loyalty/referrals/conversion.ts';
import { type Rewarded, readReferrers } from '#engine/loyalty/referrals/rewards.ts';
import { isReferralCode, type VoucherItem } from '#engine/vouchers/voucher.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { Use } from './redeemable-use.ts';
import type { SpentOn } from './voucher-effects.ts';

/** Decides the conversions of a redemption. */

export interface Referred extends Pick<Converted, 'referrals' | 'effects'> {
  /** The referee, then the rewarded referrers. */
  readonly rewarded: readonly Rewarded[];
}

interface Code extends Pick<Use, 'id'>, Pick<Use['one'], 'campaign'> {
  readonly item: VoucherItem;
}

/** Returns the codes that bring the referee in, the first of each programme. */
function codesFor(referee: CustomerItem, uses: readonly Use[]): Code[] {
  const codes = uses.flatMap(({ id, one: { target, campaign } }): Code[] => {
    const { voucher: item } = target;
    if (!item || !isReferralCode(item, campaign) || !isConvertedByRedemption(campaign?.referral_program)) return [];
    return canBring(item, referee) ? [{ id, item, campaign }] : [];
  });
  return [...Map.groupBy(codes, ({ campaign }) => campaign?.id).values()].flatMap(([first]) => first ?? []);
}

function ownerOf({ holder_id, referrer_id }: VoucherItem): string | undefined {
  return holder_id ?? referrer_id ?? undefined;
}

/** Finds the conversions by referral codes. Reads nothing if no code converts. Rewards use `programmes` instead of another read. */
export async function convertReferrals(
  context: Writing,
  programmes: Programmes,
  customer: Upsert | undefined,
  { uses, order }: { readonly uses: readonly Use[]; readonly order: SpentOn },
): Promise<Referred | undefined> {
  const codes = customer ? codesFor(customer.after, uses) : [];
  if (!customer || codes.length === 0) return undefined;
  const { id: customerId } = customer.after;
  const givers = codes.flatMap(({ campaign }) => listRewardingCampaigns(campaign?.referral_program));
  const findOwner = async (id: string | undefined) => (id ? findCustomerById(context, id) : undefined);
  const [owners, held] = await Promise.all([
    Promise.all(codes.map(({ item }) => findOwner(ownerOf(item)))),
    customer.before && givers.length > 0 ? findHeldCards(context, customerId) : [],
    programmes.get(givers),
  ]);
  const conversions = codes.map(({ id, item, campaign }, index) => ({
    item,
    campaign,
    referrer: owners[index],
    by: { redemption: { id }, ...(order ? { order } : {}) },
  }));
  const { referrals, rewards, owed, effects } = convert(context, conversions, customer.after, readOccasion(context));
  return { referrals, effects, rewarded: [{ customerId, held, rewards }, ...(await readReferrers(context, owed))] };
}
