import type { rewardFields } from '#engine/campaigns/campaign.ts';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { type CustomerItem, customers, type Referral, readEarlierReferrals } from '#engine/customers/customer.ts';
import { activityTypes, type Occasion, showActivityCampaign } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import type { Update } from '#kernel/table/update.ts';
import type { Owed, OwedReward } from './rewards.ts';

/** A referral code that admits a customer to its programme. */
export interface Conversion {
  readonly item: VoucherItem;
  readonly campaign: CampaignTerms | undefined;
  readonly referrer: CustomerItem | undefined;
  /** The cause of the conversion in ledgers. */
  readonly by: Pick<LedgerEntry['about'], 'event' | 'redemption' | 'order'>;
}

/** The changes of the referee, and the effects on the referrers. */
export interface Converted {
  readonly referrals: readonly Referral[];
  /** The rewards of the referee. */
  readonly rewards: readonly OwedReward[];
  readonly owed: readonly Owed[];
  readonly effects: readonly Effect[];
}

/**
 * Returns whether the customer is already in the programme. A code admits a customer only once. A code without a
 * campaign is its own programme.
 */
function isInAlready(referee: CustomerItem, { id, campaign_id }: VoucherItem): boolean {
  return [...readEarlierReferrals(referee), ...referee.referred_in].some((known) =>
    campaign_id ? known.campaign_id === campaign_id : known.related_object_id === id,
  );
}

/** Returns whether the code may admit the customer. It never admits its own customer. */
export function canBring(item: VoucherItem, referee: CustomerItem): boolean {
  return !isInAlready(referee, item) && ![item.holder_id, item.referrer_id].includes(referee.id);
}

function referralOf({ item, referrer }: Conversion, now: Date): Referral {
  return {
    campaign_id: item.campaign_id ?? null,
    referrer_id: referrer?.id ?? null,
    related_object_id: item.id,
    related_object_type: 'voucher',
    date: now.toISOString(),
  };
}

function findRewards(conversions: readonly Conversion[], field: (typeof rewardFields)[number]): OwedReward[] {
  return conversions.flatMap(({ item, campaign, by }) => {
    const given = campaign?.referral_program?.[field];
    return given ? [{ given, about: { ...by, referral_code: item.code } }] : [];
  });
}

function findOwed(conversions: readonly Conversion[]): Owed[] {
  const [referrer] = conversions.map((one) => one.referrer);
  const rewards = findRewards(conversions, 'referrer_reward');
  return referrer && rewards.length > 0 ? [{ referrer, rewards }] : [];
}

/** Counts in total and by campaign. The first conversion of a referrer makes the counters. */
function countReferred(
  update: Update<typeof customers.schema>,
  referrer: CustomerItem,
  conversions: readonly Conversion[],
) {
  update.add('referred_customers', conversions.length);
  // A reward's new card requires that the referrer is unchanged. Of two simultaneous conversions, one finds the other's card.
  if (findOwed(conversions).length > 0) update.whenStill('revision', referrer.revision).add('revision', 1);
  const campaignIds = conversions.flatMap(({ campaign }) => campaign?.id ?? []);
  if (campaignIds.length === 0) return update;
  if (referrer.referred_by_campaign) {
    return campaignIds.reduce((all, id) => all.addIn(['referred_by_campaign', id], 1), update);
  }
  return update
    .whenStill('referred_by_campaign', undefined)
    .set(['referred_by_campaign'], Object.fromEntries(campaignIds.map((id) => [id, 1])));
}

function told(
  projectId: string,
  referrerId: string,
  conversion: Conversion,
  referee: CustomerItem,
  occasion: Occasion,
) {
  const { item, campaign, by } = conversion;
  const { event, redemption, order } = by;
  return recordActivity(projectId, referrerId, occasion, {
    type: activityTypes.referred,
    campaign,
    code: item.code,
    data: {
      referee: { id: referee.id, object: 'customer' },
      referrer: { id: referrerId, object: 'customer' },
      voucher: { id: item.id, code: item.code, object: 'voucher' },
      ...showActivityCampaign(campaign),
      ...(event ? { custom_event: { type: event } } : {}),
      ...(redemption ? { redemption: { id: redemption.id, object: 'redemption' } } : {}),
      ...(order ? { order: { id: order.id, object: 'order' } } : {}),
    },
    figures: { referred_customers: 1 },
  });
}

/** Converts by each programme. Any of them may admit the referee. */
export function convert(
  { project, now }: Reading,
  conversions: readonly Conversion[],
  referee: CustomerItem,
  occasion: Occasion,
): Converted {
  const byReferrer = Map.groupBy(conversions, ({ referrer }) => referrer?.id);
  return {
    referrals: conversions.map((one) => referralOf(one, now)),
    rewards: findRewards(conversions, 'referee_reward'),
    owed: [...byReferrer.values()].flatMap(findOwed),
    effects: [...byReferrer.values()].flatMap((own) => {
      const referrer = own[0]?.referrer;
      if (!referrer) return [];
      return [
        change(customers(project.id, referrer.id), (update) => countReferred(update.whenThere(), referrer, own)),
        ...own.flatMap((one) => told(project.id, referrer.id, one, referee, occasion)),
      ];
    }),
  };
}
